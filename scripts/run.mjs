// Runs a command of this package's own tools and keeps what it prints.
import { spawn } from 'node:child_process';
import { delimiter, resolve } from 'node:path';

const BIN = resolve('node_modules/.bin');

/** @returns {Promise<{ ok: boolean, output: string }>} `output` is what the command printed, in order */
export function run(command, args, env = {}) {
  return new Promise(done => {
    const child = spawn(command, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
      env: { ...process.env, PATH: BIN + delimiter + process.env.PATH, ...env },
    });
    let output = '';
    const keep = chunk => (output += chunk);
    child.stdout.setEncoding('utf8').on('data', keep);
    child.stderr.setEncoding('utf8').on('data', keep);
    child.on('error', error => done({ ok: false, output: `${output}${error.message}\n` }));
    child.on('close', code => done({ ok: code === 0, output }));
  });
}
