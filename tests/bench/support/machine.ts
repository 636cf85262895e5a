import { existsSync, readFileSync } from 'node:fs';
import { arch, cpus, loadavg, totalmem, type } from 'node:os';

/** What the numbers depend on. */
export interface Machine {
  cpu: string;
  cores: number;
  memoryGB: number;
  os: string;
  node: string;
  chromium: string;
  /** Of the last minute, before the run: above the number of cores, others were at work too. */
  loadBefore: number;
}

export function machine(chromium: string): Machine {
  const release = '/etc/os-release';
  const [, distribution] = (existsSync(release) && /^PRETTY_NAME="(.*)"$/m.exec(readFileSync(release, 'utf8'))) || [];
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryGB: Math.round(totalmem() / 2 ** 30),
    os: [distribution ?? type(), arch()].join(', '),
    node: process.versions.node,
    chromium,
    loadBefore: Math.round(loadavg()[0]! * 10) / 10,
  };
}

const MEASURED = [
  '@data-client/react',
  '@data-client/rest',
  'react',
  '@urql/core',
  '@urql/exchange-auth',
  '@reduxjs/toolkit',
  'async-mutex',
  'alova',
  'react-oidc-context',
  'oidc-client-ts',
  '@auth0/auth0-spa-js',
];

/** The versions that were measured. */
export function versions(): Record<string, string> {
  const versionOf = (name: string) =>
    (JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8')) as { version: string }).version;
  return Object.fromEntries(MEASURED.map(name => [name, versionOf(name)]));
}
