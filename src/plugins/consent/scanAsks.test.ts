import { expect, it } from 'vitest';
import { megabyteOf, worstForAsks } from '../../../test/builders/worstTexts.ts';
import type { PluginManifest } from '../pluginTypes.ts';
import { scanAsks } from './scanAsks.ts';

const manifest = { contractTools: [] } as unknown as PluginManifest;
const asksOf = (...texts: readonly string[]) =>
  scanAsks(
    texts.map((text, at) => ({ path: `${at}.js`, kind: 'file', content: new TextEncoder().encode(text) })),
    manifest,
  );

it('names the tools that literal calls register', () => {
  const text = `api.registerTool({ name: 'a' }); registerTool((ctx) => ({\n  name: "b",`;
  expect(asksOf(text).tools).toEqual(['a', 'b']);
});

it.each(worstForAsks)('comes to an end for a megabyte of %j: nobody has agreed to anything yet', (piece) => {
  asksOf(megabyteOf(piece), `registerTool(${' '.repeat(1_000_000)}`);
});

it('takes code that is too long to be read for code that may do anything', () => {
  const padding = `/*${' '.repeat(5_000_000)}*/`;
  expect(asksOf(padding, `require('fs'); registerTool({ name: 'late' })`)).toMatchObject({
    reaches: ['files', 'processes', 'network'],
    tools: [],
  });
  expect(asksOf(`require('fs')`).reaches).toEqual(['files']);
});
