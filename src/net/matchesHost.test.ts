import { expect, it } from 'vitest';
import { matchesHost } from './matchesHost.ts';

it.each([
  ['docs.example.com', 'docs.example.com', true],
  ['Docs.Example.com', 'docs.example.com.', true],
  ['docs.example.com', 'a.docs.example.com', false],
  ['*.example.com', 'docs.example.com', true],
  ['*.example.com', 'a.b.example.com', true],
  ['*.example.com', 'example.com', false],
  ['*.example.com', 'badexample.com', false],
  ['*', 'example.com', false],
  ['', 'example.com', false],
])('%j names %j: %s', (pattern, host, isNamed) => {
  expect(matchesHost([pattern], host)).toBe(isNamed);
});
