import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { maker } from './createTranspile.ts';

it('names the installed version of jiti, so that an update makes all code anew', () => {
  const manifest = createRequire(import.meta.url).resolve('jiti/package.json');
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version: string };
  expect(maker).toContain(`jiti ${version}`);
});
