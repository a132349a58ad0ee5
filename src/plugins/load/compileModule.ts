import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { compileFunction, constants } from 'node:vm';
import { syntaxProblem } from './moduleErrors.ts';
import { ownRequireName } from './babelPlugins.ts';
import type { Transpile } from './createTranspile.ts';

/** A module's code as a function, called with these values. */
export type ModuleBody = (
  exports: unknown,
  require: unknown,
  module: unknown,
  filename: string,
  dirname: string,
  dynamicImport: unknown,
  resolveUrl: unknown,
  importMeta: unknown,
  ownRequire: unknown,
) => unknown;

/**
 * Names of those values in the code; the jiti ones are what the transpiler writes for `import()` and `import.meta.resolve`.
 * Of an ES module `require` is what it writes for `import`; the code's own `require` gets the last name.
 */
export const moduleParameters = [
  'exports',
  'require',
  'module',
  '__filename',
  '__dirname',
  'jitiImport',
  'jitiESMResolve',
  'importMetaObject',
  ownRequireName,
];

export interface CompiledModule {
  /** `commonjs` is code that runs as it stands; `module` was an ES module or TypeScript. */
  readonly format: 'commonjs' | 'module';
  /** True where `body` returns a promise, because the code awaits outside of functions. */
  readonly waits: boolean;
  readonly body: ModuleBody;
  /** The text that `body` was compiled from. */
  readonly code: string;
}

interface CompileParts {
  readonly path: string;
  /** The `type` of its package.json. */
  readonly packageType: string | undefined;
  /** True where it may wait for what it imports. */
  readonly async: boolean;
  readonly transpile: Transpile;
}

/**
 * Reads a file and compiles it without running it. Plain JavaScript is tried as CommonJS first, as Node does, and needs no
 * transpiler then.
 * @throws SyntaxError with the place
 */
export function compileModule({ path, packageType, async, transpile }: CompileParts): CompiledModule {
  const source = readFileSync(path, 'utf8')
    .replace(/^\uFEFF/u, '')
    .replace(/^#!/u, '//');
  if (mayBeCommonJs(path, packageType)) {
    // import() has to reach the plugin's own modules, so it is rewritten where the code allows that.
    const rewritten = dynamicImport.test(source) ? transpile({ path, source, async: false }) : undefined;
    const compiled = tryCompile(path, rewritten?.code ?? source, false);
    if (compiled.ok) return { format: 'commonjs', waits: false, body: compiled.body, code: compiled.code };
  }
  const { code, problem } = transpile({ path, source, async });
  if (code === undefined) throw syntaxProblem(path, problem);
  const compiled = tryCompile(path, code, async);
  if (compiled.ok) return { format: 'module', waits: async, body: compiled.body, code: compiled.code };
  const waiting = tryCompile(path, code, true);
  if (!waiting.ok) throw compiled.error;
  return { format: 'module', waits: true, body: waiting.body, code: waiting.code };
}

/** Whatever stands before the bracket, comments among it. */
const dynamicImport = /\bimport\s*(?:\/\*[\s\S]*?\*\/\s*|\/\/[^\n\r]*\s*)*\(/u;

function mayBeCommonJs(path: string, packageType: string | undefined): boolean {
  const ending = extname(path);
  return ending === '.cjs' || (!/^\.(?:[cm]?tsx?|mjs|jsx)$/u.test(ending) && packageType !== 'module');
}

type CompileResult =
  | { readonly ok: true; readonly body: ModuleBody; readonly code: string }
  | { readonly ok: false; readonly error: unknown };

/** `compileFunction`, because V8 keeps the text of every `Script` for good, which a reload would pay for again and again. */
function tryCompile(path: string, code: string, async: boolean): CompileResult {
  try {
    const whole = async ? `return (async () => {${code}\n})();` : code;
    const body = compileFunction(whole, moduleParameters, {
      filename: path,
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    });
    return { ok: true, body: body as ModuleBody, code: whole };
  } catch (error) {
    // The transpiler replaces the members of import.meta, not the object as a whole.
    const whole = error instanceof SyntaxError && error.message.includes('import.meta');
    if (whole) return tryCompile(path, code.replace(/\bimport\.meta\b/gu, 'importMetaObject'), async);
    return { ok: false, error };
  }
}
