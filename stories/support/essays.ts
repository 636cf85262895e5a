import type { ArticleRow } from './articles.js';

const TITLES = [
  'On signing in',
  'On signing out',
  'A note on the Analytical Engine',
  'Numbers that weave patterns',
  'The loop, before there was a machine',
  'What a machine cannot originate',
  'Tables for the astronomer',
  'Bernoulli numbers, step by step',
  'Punched cards and silk',
  'Errors in a printed table',
  'A letter to Mr Babbage',
  'Music composed by rule',
];

/** Twelve articles of Ada, for the examples with pages. */
export const essays: ArticleRow[] = TITLES.map((title, index) => ({
  id: String(index + 1),
  title,
  content: '',
  author: 'ada',
}));
