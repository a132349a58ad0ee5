import { expect, it } from 'vitest';
import { addressesOf, readAddress } from './readAddress.ts';

it.each([
  ['http://localhost:8080/v1', 'http://localhost:8080/v1'],
  ['HTTPS://models.example/v1', 'HTTPS://models.example/v1'],
  [' localhost:11434 ', 'http://localhost:11434'],
  ['192.168.0.7:8080/v1', 'http://192.168.0.7:8080/v1'],
  ['[::1]:8080', 'http://[::1]:8080'],
  ['127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ['10.1.2.3', 'http://10.1.2.3'],
  ['[fd00::7]:8080', 'http://[fd00::7]:8080'],
  ['gpu-box:8080/v1', 'http://gpu-box:8080/v1'],
  ['models.example', 'https://models.example'],
  ['models.example:8080/v1', 'https://models.example:8080/v1'],
  ['10.example:8080', 'https://10.example:8080'],
  ['8.8.8.8:8080', 'https://8.8.8.8:8080'],
  ['[2001:db8::7]:8080', 'https://[2001:db8::7]:8080'],
  ['', undefined],
  ['two words', undefined],
  ['file:///etc/passwd', undefined],
  ['ftp://models.example', undefined],
])('reads %j as %j', (typed, address) => {
  expect(readAddress(typed)).toBe(address);
});

it.each([
  ['localhost:1234', ['http://localhost:1234/v1', 'http://localhost:1234']],
  ['https://models.example/', ['https://models.example/v1', 'https://models.example/']],
  ['localhost:1234/v1', ['http://localhost:1234/v1']],
  ['https://models.example/?key=1', ['https://models.example/?key=1']],
  ['two words', []],
])('looks for %j at %j', (typed, addresses) => {
  expect(addressesOf(typed)).toEqual(addresses);
});
