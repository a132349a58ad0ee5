import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { projectRoot } from '../../scripts/projectRoot.ts';
import { libraryFiles } from '../../src/plugins/openclaw/libraryFiles.ts';

const sdk = join(projectRoot, 'dist', 'plugin-sdk');
const types = join(sdk, 'openclaw.d.ts');

/** What the compiler says of a plugin that has nothing but the SDK's types beside it. */
function problemsIn(code: string): readonly string[] {
  const file = join(projectRoot, 'dist', 'plugin-sdk', 'sample.ts');
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    exactOptionalPropertyTypes: true,
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'],
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (name) => name === file || fileExists(name);
  host.getSourceFile = (name, version, ...rest) =>
    name === file ? ts.createSourceFile(name, code, version) : getSourceFile(name, version, ...rest);
  const program = ts.createProgram([file, types], options, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

const plugin = (body: string): string =>
  `import { definePluginEntry, type OpenClawPluginApi } from 'openclaw/plugin-sdk/plugin-entry';
   import { jsonResult, readNumberParam, readStringParam } from '@openclaw/plugin-sdk/param-readers';
   export default definePluginEntry({ id: 'p', name: 'P', register(api: OpenClawPluginApi) { ${body} } });
   export { jsonResult, readNumberParam, readStringParam };`;

describe('the types of the plugin SDK', () => {
  it('stand alone and cover what a plugin does', () => {
    const body = `
      api.on('before_tool_call', (event, context) => {
        const name: string = event.toolName;
        const signal: AbortSignal = context.abortSignal;
        if (name === 'write' && !signal.aborted) return { block: true, blockReason: 'no' };
      }, { priority: 5, timeoutMs: 100 });
      async function ended(event: { readonly success: boolean }) { void event.success; }
      api.on('agent_end', ended);
      api.registerTool({ name: 't', description: '', parameters: {}, execute: (_id, params) =>
        jsonResult(readStringParam(params, 'a', { required: true }).length + (readNumberParam(params, 'n') ?? 0)) });
      api.registerTool((context) => (context.workspaceDir === undefined ? null : []), { optional: true });
      api.registerCommand({ name: 'c', acceptsArgs: true, handler: ({ args }) => ({ text: args ?? '' }) });
      api.registerService({ id: 's', start: ({ stateDir, logger }) => logger.info(stateDir), stop: () => undefined });
      api.registerCli(({ program }) => { program.command('x <y>').action((y: string) => console.log(y)); }, { commands: ['x'] });
      api.registerHook(['command:new'], async (event) => { event.messages.push(event.action); });
      api.registerHttpRoute({ path: '/a', auth: 'plugin', handler: () => true });
      api.registerGatewayMethod('m', () => undefined);
      api.registerSessionExtension({ namespace: 'n', description: 'd', project: ({ state }) => state });
      api.registerRuntimeLifecycle({ id: 'l', cleanup: ({ reason }) => reason === 'restart' });
      void api.enqueueNextTurnInjection({ sessionKey: 'k', text: 't' }).then(({ enqueued }) => enqueued);
      void api.runtime.system.runCommandWithTimeout(['ls'], { timeoutMs: 1 }).then(({ stdout }) => stdout.length);`;
    expect(problemsIn(plugin(body))).toEqual([]);
  });

  it.each([
    [
      'a field that an event lacks',
      "api.on('before_tool_call', (event) => { event.toolNam; });",
      "'toolNam' does not exist",
    ],
    ['a hook that is none', "api.on('before_tool_cal', () => undefined);", 'before_tool_cal'],
    ['a result that is none', "api.on('before_tool_call', () => ({ block: 'yes' }));", 'boolean'],
    [
      'a cleanup reason that is none',
      "api.registerRuntimeLifecycle({ id: 'l', cleanup: ({ reason }) => reason === 'end' });",
      'no overlap',
    ],
    [
      'a tool without execute',
      "api.registerTool({ name: 't', description: '', parameters: {} });",
      'execute',
    ],
    [
      'a symbol that is not there',
      "import('openclaw/plugin-sdk').then((sdk) => sdk.nothing);",
      "'nothing' does not exist",
    ],
  ])('refuse %s', (_title, body, problem) => {
    expect(problemsIn(plugin(body)).join('\n')).toContain(problem);
  });

  it('say of every part what it is for', async () => {
    const text = await readFile(types, 'utf8');
    expect(text).toContain('Listens to a hook. Higher priorities run first; default 0.');
    expect(text).not.toMatch(/\bimport\b.*\bfrom\b/u);
    expect(text).not.toContain(projectRoot);
  });
});

describe('the libraries beside the program', () => {
  const require = createRequire(import.meta.url);

  it.each(Object.entries(libraryFiles))('%s holds all that plugins may import of it', (file, names) => {
    const entries = require(join(sdk, 'libs', `${file}.js`)) as Readonly<Record<string, () => object>>;
    expect(Object.keys(entries).sort()).toEqual([...names].sort());
    for (const name of names) expect(Object.keys(entries[name]?.() ?? {}), name).not.toEqual([]);
  });
});
