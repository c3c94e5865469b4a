// The firmware itself with a simulated board and its page, started for a test and ended with it.

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const PYTHON = process.env.BOARDFW_PYTHON ?? join(ROOT, '.venv/bin/python');

/**
 * Start `boardfw run --web` on a free port.
 * @param {string[]} [options]
 * @returns {Promise<{pair: string, origin: string, pgn: () => string, printed: () => string, stop: () => Promise<void>}>}
 */
export async function start(options = []) {
  const folder = mkdtempSync(join(tmpdir(), 'boardfw-web-'));
  const pgn = join(folder, 'game.pgn');
  const env = { ...process.env, PYTHONPATH: ROOT, HOME: folder, XDG_STATE_HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const files = ['--pgn', pgn, '--record', join(folder, 'games.db')];
  const process_ = spawn(PYTHON, ['-m', 'boardfw', 'run', '--web', '127.0.0.1:0', ...files, ...options], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  const link = await new Promise((resolve, reject) => {
    const listen = (/** @type {Buffer} */ data) => {
      printed += data;
      const found = /http:\S+\/pair#\S+/.exec(printed);
      if (found) resolve(found[0]);
    };
    process_.stdout.on('data', listen);
    process_.stderr.on('data', listen);
    process_.on('exit', (code) => reject(new Error(`boardfw ended with ${code}: ${printed}`)));
  });
  return {
    pair: link,
    origin: new URL(link).origin,
    pgn: () => (existsSync(pgn) ? readFileSync(pgn, 'utf8') : ''),
    printed: () => printed,
    stop: () =>
      new Promise((resolve) => {
        if (process_.exitCode !== null) return resolve();
        process_.removeAllListeners('exit');
        process_.on('exit', () => resolve());
        process_.kill('SIGINT');
      }),
  };
}
