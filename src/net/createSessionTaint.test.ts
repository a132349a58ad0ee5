import { expect, it } from 'vitest';
import { createSessionTaint } from './createSessionTaint.ts';

it('a host is tainted once text from outside entered that session, unless the session has been there before', () => {
  const taint = createSessionTaint();
  expect(taint.isTainted('s1', 'a.example')).toBe(false);
  taint.visit('s1', 'a.example');
  taint.enter('s1');
  expect(taint.isTainted('s1', 'a.example')).toBe(false);
  expect(taint.isTainted('s1', 'b.example')).toBe(true);
  expect(taint.isTainted('s2', 'b.example')).toBe(false);
  taint.visit('s2', 'b.example');
  expect(taint.isTainted('s1', 'b.example')).toBe(true);
  taint.forget('s1');
  expect(taint.isTainted('s1', 'b.example')).toBe(false);
});

it('what was read makes every host new that the session has not been to, and taints none', () => {
  const taint = createSessionTaint();
  taint.visit('s1', 'a.example');
  taint.read('s1');
  expect(taint.hasRead('s1', 'a.example')).toBe(false);
  expect(taint.hasRead('s1', 'b.example')).toBe(true);
  expect(taint.isTainted('s1', 'b.example')).toBe(false);
  taint.enter('s2');
  expect(taint.hasRead('s2', 'b.example')).toBe(true);
  taint.forget('s1');
  expect(taint.hasRead('s1', 'b.example')).toBe(false);
});
