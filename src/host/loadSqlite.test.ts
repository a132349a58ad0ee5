import { expect, it } from 'vitest';
import { PincerError } from '../base/errors.ts';
import { loadSqlite } from './loadSqlite.ts';

it.each([
  ['is missing', () => Promise.reject(new PincerError('io_not_found', 'There is no such file.'))],
  ['is damaged', () => Promise.resolve(new Uint8Array(1_000))],
])('a database engine that %s is told of as a fault of the installation', async (_, readFile) => {
  await expect(loadSqlite({ readFile }, '/dist/sql-wasm.wasm')).rejects.toMatchObject({
    code: 'database_engine_broken',
    message: expect.stringContaining('/dist/sql-wasm.wasm') as string,
    hint: 'Install Pincer again.',
  });
});
