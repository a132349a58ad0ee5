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

it.each([
  ['a literal call', "api.registerCommand({ name: 'dice', handler })", ['dice']],
  ['an object before it', "const c = { name: 'dice', handler: () => 1 }; api.registerCommand(c);", ['dice']],
  ['a name that is a constant', "const N = 'dice'; api.registerCommand({ name: N })", ['dice']],
  ['a tool beside it', "api.registerTool({ name: 'a', execute }); api.registerCommand(c)", []],
  ['an object without a call', "const c = { name: 'dice', handler: () => 1 };", []],
])('names the slash commands of %s', (_, text, commands) => {
  expect(asksOf(text).commands).toEqual(commands);
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
  const byHost = `api.runtime.system.runCommandWithTimeout(['gh', 'pr']); runPluginCommandWithTimeout({ argv: ["op"] });`;
  expect(asksOf(text).programs).toEqual(['git', 'curl', 'jq']);
  expect(asksOf(byHost).programs).toEqual(['gh', 'op']);
});

it.each([
  ['eval(text)', true],
  [`(0, eval)('import("file:///x")')`, true],
  ['globalThis.eval(text)', true],
  ["globalThis['eval'](text)", true],
  ['const e = eval;', true],
  ['\\u0065val(text)', true],
  ['\\u{00000000065}val(text)', true],
  ['const evaluate = () => evaluated;', false],
  ["new Function('x')", true],
  ["Function('x')()", true],
  ['const F = Function;', true],
  ['globalThis.Function', true],
  ["Reflect.construct(Function, ['x'])", true],
  ['run = (then: Function) => then instanceof Function && Function.prototype', false],
  ["(() => {}).constructor('x')()", true],
  ['const F = (async function () {}).constructor', true],
  ["[].at.constructor('x')", true],
  ["[]['constructor']['constructor']('x')", true],
  ['new this.constructor(this.parts)', false],
  ['a.constructor === Object && a.constructor.name', false],
  ['await import(name)', true],
  ['await import(`./${name}.js`)', true],
  ["require('child_' + 'process')", true],
  ["require(           'x' + y)", true],
  ['require/**/(name)', true],
  ['import             (name)', true],
  ['require?.(name)', true],
  ['(require)(name)', true],
  ['const load = require;', true],
  ['require.call(null, name)', true],
  ["import('./x.js'); require(`y`)", false],
  ["import(/* here */ './x.js', { with: {} })", false],
  ["import x from './x.js'; import * as y from 'y'; import.meta.url", false],
  ["require('node:vm')", true],
  ["require('node:v\\m')", true],
  ["require('node\\:vm')", true],
  ["require('\\156\\157de\\x3a\\166m')", true],
  ["import { run } from 'node:\\\nte\\\nst'", true],
  ["[]['constr\\\r\nuctor']", true],
  [`require('node:${'\\\n'.repeat(300)}vm')`, true],
  ["say('One line,\\\nand another one'); text = `\\\nUsage: x`; /\\s+\\101/u", false],
  ['require(`worker_threads`)', true],
  // However it is reached, and whatever of it: its members run files and snapshots.
  ["import { test } from 'node:test'", true],
  ["import * as runner from 'node:test'; runner['r' + 'un']()", true],
  ["export { run as go } from 'node:test'", true],
  ["const { run } = await import('node:test')", true],
  ["process.getBuiltinModule('node:test').run()", true],
  ["import { Session } from 'node:inspector/promises'", true],
  ["process.getBuiltinModule('module')", true],
  ["process.mainModule.require('/abs/outside.cjs')", true],
  ["process.binding('contextify')", true],
  ["process['bind' + 'ing']('contextify')", true],
  ['process.dlopen(module, path)', true],
  ['process.env.HOME; globalThis[Symbol.for("x")]; process["env"]', false],
  ["module.constructor._load('/abs')", true],
  ['new module.constructor()', true],
  ["import { createRequire } from 'node:module'; createRequire(import.meta.url)('x')", false],
  ["require('module').createRequire(__filename)", false],
  ["const { createRequire } = require('node:module')", false],
  ["const make = require('module').createRequire;", false],
  ["const { createRequire: make } = await import('node:module')", false],
  ["const all = import('node:module')", true],
  ["import Module from 'module'", true],
  ["require('node:module').Module.createRequire('/abs')", true],
  ["const Module = require('module')", true],
  ["type: 'module'", false],
])('says of %j whether the list may be incomplete: %s', (text, isComputed) => {
  expect(asksOf(text).unread).toEqual(isComputed ? ['computed'] : []);
});

it.each([
  ['require(`fs`)', 'files'],
  ["require('f\\x73')", 'files'],
  ["require('f\\s')", 'files'],
  ["require('f\\163\\/promises')", 'files'],
  ["import dns from 'node:dns/promises'", 'network'],
])('sees what %j reaches', (text, what) => {
  expect(asksOf(text).reaches).toEqual([what]);
});

it.each([
  ['index.test.ts', false],
  ['lib/INDEX.Test.MJS', false],
  ['node_modules/a/a.test.cjs', false],
  ['test.js', true],
  ['test/a.js', true],
  ['a.test.js/a.js', true],
  ['a.test', false],
  ['a.tests.js', true],
])('reads %s as code that may run: %s', (path, isRead) => {
  const text = "registerTool({ name: 'a' }); spawn('git'); import('node:test'); import('node:child_process')";
  const file = { path, kind: 'file', content: new TextEncoder().encode(text) } as const;
  const isOwn = isRead && !path.startsWith('node_modules/');
  expect(scanAsks([file], manifest)).toMatchObject({
    tools: isOwn ? ['a'] : [],
    programs: isOwn ? ['git'] : [],
    reaches: isRead ? ['processes'] : [],
    unread: isOwn ? ['computed'] : [],
  });
});

it('follows packages that come with it for what they reach, and names them and what is native', () => {
  const file = (path: string, text = '') =>
    ({ path, kind: 'file', content: new TextEncoder().encode(text) }) as const;
  const files = [
    file('index.js', "require('@a/b')"),
    file('node_modules/@a/b/index.js', "require('https')"),
    file('node_modules/c/node_modules/d/build/d.node'),
    file('lib/node_modules/e/index.js'),
    file('node_modules/f.js'),
    file('node_modules/.package-lock.json'),
  ];
  expect(scanAsks(files, manifest)).toMatchObject({
    reaches: ['network'],
    packages: ['@a/b', 'c', 'e', 'f.js'],
    natives: ['node_modules/c/node_modules/d/build/d.node'],
  });
});

it('says of a packaged provider of models that it registers one', () => {
  expect(asksOf("export default defineSingleProviderPluginEntry({ id: 'acme' })").registers).toEqual([
    'model provider',
  ]);
});
