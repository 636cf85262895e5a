import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import type { Check } from './Result.js';
import { bundle } from './support/bundle.js';

/** How large the kit and others are in an app. */
export async function bytes() {
  // The runner of this file has set `development`, in which JSX is another code.
  process.env.NODE_ENV = 'production';
  await build({ mode: 'lib', logLevel: 'error', build: { emptyOutDir: false } });
  const [react, dataClient, virtualizer] = [/^react(-dom)?($|\/)/, /^@data-client\//, /^@tanstack\//];
  const kit = (...names: string[]) => [
    { from: join(import.meta.dirname, '../../dist/index.js'), ...(names.length > 0 && { names }) },
  ];
  const providers = ['TokenAuthProvider', 'CookieAuthProvider', 'ContextTokenProvider', 'hookifyResource'];
  const entries = join(import.meta.dirname, '../../dist/entries');
  const entry = (name: string) => ({ from: join(entries, name) });
  const others = readdirSync(entries).filter(name => name.endsWith('.js') && name !== 'core.js');
  const all = [...kit(), ...others.map(entry)];
  const one = ['TokenAuthProvider', 'createTokenSession', 'resource', 'hookifyResource', 'useAuth'];
  const peers = [react, dataClient, virtualizer] as const;
  const oneProvider = await bundle(kit(...one), peers);
  const withAccounts = await bundle([...kit(...one), entry('accounts.js')], peers);
  const sizes = {
    'one token provider, its session, resource, hookifyResource, useAuth': oneProvider,
    'the same with /live': await bundle([...kit(...one), entry('live.js')], [react, dataClient, virtualizer]),
    'the same with /files': await bundle([...kit(...one), entry('files.js')], [react, dataClient, virtualizer]),
    'the three providers + hookifyResource': await bundle(kit(...providers), [react, dataClient, virtualizer]),
    'the same with resource, useAuth and both kinds of session': await bundle(
      kit(...providers, 'resource', 'useAuth', 'createTokenSession', 'createCookieSession'),
      [react, dataClient, virtualizer],
    ),
    'accounts, beside a token provider and its session': {
      ...withAccounts,
      bytes: withAccounts.bytes - oneProvider.bytes,
    },
    'everything, without the virtualizer': await bundle(all, [react, dataClient, virtualizer]),
    'everything, with the virtualizer': await bundle(all, [react, dataClient]),
    'react-oidc-context + oidc-client-ts': await bundle(
      [
        { from: 'react-oidc-context', names: ['AuthProvider', 'useAuth'] },
        { from: 'oidc-client-ts', names: ['UserManager'] },
      ],
      [react],
    ),
    'auth0-spa-js': await bundle([{ from: '@auth0/auth0-spa-js', names: ['Auth0Client'] }], [react]),
  };
  const alone: (readonly [string, number])[] = [];
  for (const name of [...others, 'core.js'].sort()) {
    const { bytes } = await bundle([entry(name)], [react, dataClient, virtualizer]);
    alone.push([`\`/${name.replace('.js', '')}\` alone`, bytes / 1024]);
  }
  const kb = (name: keyof typeof sizes) => sizes[name].bytes / 1024;
  const names = Object.keys(sizes) as (keyof typeof sizes)[];
  const size = (what: keyof typeof sizes, atMost: number): Check => ({ what, measured: kb(what), unit: 'KB', atMost });
  const added = (entry: keyof typeof sizes): Check => ({
    ...size(entry, 2.5),
    what: `${entry.replace('the same with', 'what')} adds to it`,
    measured: kb(entry) - kb(names[0]!),
  });
  return {
    bytes: {
      columns: ['', 'KB after gzip'],
      lines: [
        ...names.map(name => [name, kb(name)] as const),
        ...alone,
        ...[names[0]!, 'everything, without the virtualizer' as const].flatMap(name =>
          sizes[name].largest.map(([path, bytes]) => [`${name.split(',')[0]}: \`${path}\``, bytes / 1024] as const),
        ),
      ],
      checks: [
        size('one token provider, its session, resource, hookifyResource, useAuth', 16),
        added('the same with /live'),
        added('the same with /files'),
        size('the three providers + hookifyResource', 17),
        size('accounts, beside a token provider and its session', 2),
        size('everything, without the virtualizer', 55),
      ],
    },
  };
}
