// What the server sends, as the pages read it. Types only: nothing here is served.

/** A ply: its move in UCI and SAN, `p` provisional, `f` final or `` between, milliseconds left on the clock. */
export type Ply = [uci: string, san: string, state: string, clock: number | null];

/** A ply that was replaced or taken back: its number, counted from 1. */
export type Gone = [ply: number, uci: string, san: string];

export interface Game {
  id: number | null;
  start_fen: string;
  tags: Record<string, string>;
  plies: Ply[];
  result: string;
  termination?: string | null;
  /** Whether the button `hint` shows where it turned. */
  can_look_back?: boolean;
}

export interface Clock {
  w: number;
  b: number;
  /** Whose time runs; null: neither. */
  runs: 'w' | 'b' | null;
  /** The time of the board, milliseconds, at which these figures are right. */
  at: number;
}

export interface Candidate {
  uci: string;
  san: string;
  n: number;
  squares: string[];
}

export interface Mismatch {
  missing: string[];
  extra: string[];
  /** From, to; null is the place beside the board. */
  repair?: [string | null, string | null][];
  why?: string | null;
  also?: Languages;
}

export interface Choosing {
  square: string;
  piece: string;
  then: string;
}

export interface Setup {
  wanted: string[];
  surplus: string[];
  next?: string | null;
  next_squares?: string[];
  problems?: string[];
  /** Whether simulated hands put the pieces there. */
  helped?: boolean;
}

export interface Opponent {
  name: string;
  side: 'w' | 'b';
  owed?: string | null;
  owed_san?: string | null;
  thinking?: boolean;
}

export interface Lesson {
  /** Of the lesson; empty where turning points of a game are shown. */
  title: string;
  text: string;
  say: string;
  done: number;
  of: number;
  hints_left: number;
  step: 'setup' | 'asked' | 'solved';
  trouble: string;
  also?: Languages;
}

/** What the board's English words are in other languages: by `de`, then by their keys. */
export type Languages = Record<string, Record<string, string>>;

export interface Snapshot {
  v: number;
  board: string;
  boot: string;
  seq: number;
  phase: string;
  game: Game;
  occ: string;
  placement: string;
  /** What stands on a simulated board now; null: a real board, of which only the switches are known. */
  shown: string | null;
  /** Lifted pieces and where they came from; the last is the next to be put down. null: from beside the board. */
  hand: [letter: string, origin: string | null][];
  box: string;
  /** null: not shown to this role. */
  lights: string | null;
  cues: Record<string, string[]> | null;
  turn?: 'w' | 'b';
  turned?: boolean;
  simulated?: boolean;
  mono?: boolean;
  /** Whether simulated hands play a game by themselves. */
  demo?: boolean;
  /** Squares on which they have yet to put a piece, or to take one off. */
  to_go?: number;
  rated?: boolean;
  late?: string[];
  unwritten?: string;
  clock: Clock | null;
  ask: Candidate[] | null;
  choosing?: Choosing | null;
  mismatch: Mismatch | null;
  setup?: Setup | null;
  opponent?: Opponent | null;
  history?: Gone[];
  doubt?: string | null;
  check?: string | null;
  stuck?: string[];
  blind?: string[];
  lesson: Lesson | null;
  health: string;
  also?: Languages | null;
  role: string;
}

/** One event of the firmware, as `boardfw replay --events` writes it. */
export interface FirmwareEvent {
  event: string;
  [key: string]: unknown;
}

/** The server's messages: a snapshot, or what has happened since, or only a sign of life. */
export interface StreamMessage {
  snapshot?: Snapshot;
  deltas?: Delta[];
  beat?: number;
  /** The time of the board, milliseconds. */
  t?: number;
}

export interface Session {
  role: string | null;
  name: string;
  board: string;
  claimed: boolean;
  can_knock: boolean;
  lang: string;
  sessions: { id: number; name: string; role: string; last: number; mine: boolean }[];
}

export interface Delta {
  seq: number;
  e: FirmwareEvent[];
  set: Partial<Snapshot>;
}
