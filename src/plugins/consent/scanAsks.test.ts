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

it.each([
  ['a constant', "const tool = { name: 'a', parameters: {} }; api.registerTool(tool);", ['a']],
  ['a name that is a constant', "const NAME = 'a'; api.registerTool({ name: NAME });", ['a']],
  [
    'a factory far behind',
    "const t = { name: 'a', execute() {} }; api.registerTool(() => t, { names: ['a', 'b'] })",
    ['a', 'b'],
  ],
  ['a copy', "api.registerTool(() => [{ ...tool, name: 'a' }, { ...tool, name: 'b' }]);", ['a', 'b']],
  ['a class', "class T { name = 'a'; execute() {} } api.registerTool(new T())", ['a']],
  ['a command beside it', "api.registerTool(t); api.registerCommand({ name: 'a', handler })", []],
  ['a name that is put together', "api.registerTool({ name: 'a' + b, execute })", []],
  ['the same without a call', "const tool = { name: 'a', execute() {} };", []],
])('names the tools of %s', (_, text, tools) => {
  expect(asksOf(text).tools).toEqual(tools);
});

it('names what else is registered by its kind', () => {
  expect(asksOf("api.registerCommand(c); api.registerHook('command:new', h)").registers).toEqual([
    'command',
    'internal hook',
  ]);
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

it('names programs that literal calls start, and takes no pattern for one', () => {
  const text = `spawn('git', ['x']); cp.exec("curl https://x"); execFileSync(\`jq\`); /a/.exec('b'); exec(line);`;
  expect(asksOf(text).programs).toEqual(['git', 'curl', 'jq']);
});

it.each([
  ['eval(text)', true],
  ["new Function('x')", true],
  ['await import(name)', true],
  ['await import(`./${name}.js`)', true],
  ["import('./x.js'); require(`y`)", false],
  ["require('node:vm')", true],
  ["process.getBuiltinModule('module')", true],
])('says of %j whether the list may lack something: %s', (text, isComputed) => {
  expect(asksOf(text).unread).toEqual(isComputed ? ['computed'] : []);
});

it('follows packages that come with it for what they reach, and names them and what is native', () => {
  const file = (path: string, text = '') =>
    ({ path, kind: 'file', content: new TextEncoder().encode(text) }) as const;
  const files = [
    file('index.js', "require('@a/b')"),
    file('node_modules/@a/b/index.js', "require('https')"),
    file('node_modules/c/node_modules/d/build/d.node'),
  ];
  expect(scanAsks(files, manifest)).toMatchObject({
    reaches: ['network'],
    packages: ['@a/b', 'c'],
    natives: ['node_modules/c/node_modules/d/build/d.node'],
  });
});
