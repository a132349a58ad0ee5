import { expect, it } from 'vitest';
import { readAddress } from './readAddress.ts';

it.each([
  ['http://localhost:8080/v1', 'http://localhost:8080/v1'],
  ['HTTPS://models.example/v1', 'HTTPS://models.example/v1'],
  [' localhost:11434 ', 'http://localhost:11434'],
  ['192.168.0.7:8080/v1', 'http://192.168.0.7:8080/v1'],
  ['[::1]:8080', 'http://[::1]:8080'],
  ['models.example', 'http://models.example'],
  ['', undefined],
  ['two words', undefined],
  ['file:///etc/passwd', undefined],
  ['ftp://models.example', undefined],
])('reads %j as %j', (typed, address) => {
  expect(readAddress(typed)).toBe(address);
});
