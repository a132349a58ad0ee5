import { expect, it } from 'vitest';
import { expandTemplate, variablesOf } from './uriTemplate.ts';

it('names the variables of a template once, in their order', () => {
  expect(variablesOf('note:///{folder}/{id}{?page,size*}#{id}')).toEqual(['folder', 'id', 'page', 'size']);
  expect(variablesOf('note:1')).toEqual([]);
});

it('writes values so that none reaches beyond its place, but where the template says so', () => {
  const values = { id: '../a b?x', path: 'docs/a b.md', page: '2' };
  expect(expandTemplate('note:///{id}', values)).toBe('note:///..%2Fa%20b%3Fx');
  expect(expandTemplate('file:///{+path}', values)).toBe('file:///docs/a%20b.md');
  expect(expandTemplate('note:///x{?page,size}{&id}', values)).toBe('note:///x?page=2&id=..%2Fa%20b%3Fx');
  expect(expandTemplate('note:///{gone}{/page}{toString}', values)).toBe('note:////2');
});
