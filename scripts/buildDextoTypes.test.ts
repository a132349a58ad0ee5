import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildDextoTypes } from './buildDextoTypes.ts';
import { projectRoot } from './projectRoot.ts';

const fixtures = join(projectRoot, 'test/samples/dexto/compat/fixture');

let types: string;
beforeAll(() => {
  types = buildDextoTypes(projectRoot);
});

/** What the compiler says of plugins that have nothing but these types beside them; `strict` is what each author decides. */
function problemsIn(codes: Readonly<Record<string, string>>, strict: boolean): readonly string[] {
  const at = (name: string): string => join(projectRoot, 'plugin-of-an-author', name);
  const files = new Map(
    Object.entries({ ...codes, 'types.d.ts': types }).map(([name, text]) => [at(name), text]),
  );
  const options: ts.CompilerOptions = {
    strict,
    noEmit: true,
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    types: ['node'],
    skipLibCheck: true,
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (name) => files.has(name) || fileExists(name);
  host.getSourceFile = (name, version, ...rest) => {
    const text = files.get(name);
    return text === undefined
      ? getSourceFile(name, version, ...rest)
      : ts.createSourceFile(name, text, version);
  };
  const program = ts.createProgram([...files.keys()], options, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(
      ({ file, messageText }) =>
        `${file?.fileName ?? ''} ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
    );
}

const fixture = (name: string): string => readFileSync(join(fixtures, name), 'utf8');

describe('the types of @dexto/core', () => {
  it('compile the plugins of every era as they stand, the example of the spec with it', () => {
    const names = ['tenant-auth/tenant-auth.ts', 'first/request-logger.ts', 'hook/request-logger.ts'];
    const others = ['imports/request-logger.ts', 'provider/audit-logger.ts', 'factory/word-filter.ts'];
    const codes = Object.fromEntries(
      [...names, ...others].map((name, at) => [`p${String(at)}.ts`, fixture(name)]),
    );
    expect(problemsIn(codes, false)).toEqual([]);
  });

  it('check strictly what an author writes', () => {
    const plugin = (body: string): string =>
      `import type { DextoPlugin, ExecutionContext, PluginResult, BeforeToolCallPayload } from '@dexto/core';
       export default class implements DextoPlugin {
         async beforeToolCall(payload: BeforeToolCallPayload, context: ExecutionContext): Promise<PluginResult> { ${body} }
       }`;
    const good = plugin(
      `const used = await context.agent.storage.database.get('k'); used.count += payload.args.size; return { ok: true };`,
    );
    expect(problemsIn({ 'good.ts': good }, true)).toEqual([]);
    expect(problemsIn({ 'bad.ts': plugin('return { ok: payload.toolNam };') }, true).join()).toContain(
      "'toolNam' does not exist",
    );
    expect(problemsIn({ 'bad.ts': plugin("return { ok: true, cancel: 'yes' };") }, true).join()).toContain(
      'boolean',
    );
  });

  it('stand alone, and say of every part what it is for', () => {
    expect(types).not.toMatch(/from '\./u);
    expect(types).not.toContain('nothing here may import');
    expect(types).toContain('Stops the operation; counts only where the plugin is blocking.');
    expect(types).toContain('export class DextoPluginError extends Error');
  });
});
