import { expect, test } from 'vitest';
import { isPageAsset } from '../../src/testing/isPageAsset.js';

const page = 'https://app.example.com/kit/iframe.html?id=x';
const isAsset = (path: string, init?: RequestInit) => isPageAsset(new Request(new URL(path, page), init), page);

test.each([
  '/kit/assets/entry',
  '/kit/sb-manager/x',
  '/kit/index.json',
  '/kit/mockServiceWorker.js',
  '/kit/iframe.html',
  '/@vite/client',
  '/@id/x',
  '/@fs/x',
  '/node_modules/x',
  '/src/session/x.ts',
  '/stories/x.tsx?t=1',
  '/logo.svg',
  '/x?import',
  '/fonts/a.woff2',
  '/a.css',
  '/a.js.map',
  'data:text/plain,x',
  'blob:https://app.example.com/1',
])("%s is the page's own", path => {
  expect(isAsset(path)).toBe(true);
});

test.each([
  '/article/1',
  '/login',
  '/kit/article',
  'https://api.example.com/index.json',
  'https://cdn.example.com/a.js',
])('%s is a request of the app', path => {
  expect(isAsset(path)).toBe(false);
});

test('a POST is never an asset', () => {
  expect(isAsset('/assets/upload.png', { method: 'POST' })).toBe(false);
});

test('without a page nothing is an asset', () => {
  expect(isPageAsset(new Request('https://app.example.com/a.js'), undefined)).toBe(false);
});
