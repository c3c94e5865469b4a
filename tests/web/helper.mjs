// Programs of tests/bench that answer lines of JSON: a board with its hands, and a crowd of viewers.

import { spawn } from 'node:child_process';
import { createWriteStream, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PYTHON, ROOT } from './real_board.mjs';

/**
 * @param {string} module of tests/bench
 * @returns {{ask: (what: string, more?: object) => Promise<any>, end: () => void}}
 */
export function helper(module) {
  const folder = mkdtempSync(join(tmpdir(), `boardfw-${module}-`));
  const process_ = spawn(PYTHON, ['-m', `tests.bench.${module}`, folder], { cwd: ROOT, env: { ...process.env, PYTHONPATH: ROOT } });
  process_.stderr.pipe(createWriteStream(join(folder, 'log')));
  /** @type {((answer: any) => void)[]} */
  const waiting = [];
  createInterface({ input: process_.stdout }).on('line', (line) => waiting.shift()?.(JSON.parse(line)));
  process_.on('exit', (code) => {
    if (code) throw new Error(`${module} ended with ${code}; ${join(folder, 'log')} says why`);
  });
  return {
    ask: (what, more = {}) =>
      new Promise((resolve) => {
        waiting.push(resolve);
        process_.stdin.write(`${JSON.stringify({ do: what, ...more })}\n`);
      }),
    end: () => process_.stdin.end(),
  };
}
