import { relative } from 'node:path';
import { PincerError } from '../../base/errors.ts';

/** Has Node's text and code, which packages test for when they look whether something optional is there. */
export function moduleNotFound(request: string, from: string): Error {
  const kind = /^(?:[./#]|file:)/u.test(request) ? 'module' : 'package';
  return withCode(`Cannot find ${kind} '${request}' imported from ${from}`, 'MODULE_NOT_FOUND');
}

export function packagePathShut(subpath: string, folder: string): Error {
  const what =
    subpath === '.'
      ? 'No "exports" main defined'
      : `Package subpath '${subpath}' is not defined by "exports"`;
  return withCode(`${what} in ${folder}/package.json`, 'ERR_PACKAGE_PATH_NOT_EXPORTED');
}

/** What Node says when CommonJS requires a module that waits. */
export function requireOfAsyncModule(path: string): Error {
  return withCode(
    `require() cannot be used on a module that awaits outside of functions: ${path}. Use import() instead.`,
    'ERR_REQUIRE_ASYNC_MODULE',
  );
}

export function nativeAddOn(path: string, rootDir: string, pluginId: string): Error {
  return new PincerError(
    'plugin_native_addon',
    `Plugin ${pluginId} loads the native add-on ${relative(rootDir, path)}. Native add-ons are built for one program and do not run here.`,
    {
      hint: 'Use a package without native code, for example one that is built on WebAssembly or on node:sqlite.',
    },
  );
}

export function noCode(path: string, rootDir: string, pluginId: string): Error {
  return new PincerError(
    'plugin_import_no_code',
    `Plugin ${pluginId} runs ${relative(rootDir, path)}, which is no code by its name, or a test: nobody who agreed has seen what it does.`,
    { hint: 'Give the file the ending of code, such as .js, and not that of a test (.test.js).' },
  );
}

export function outsideOfPlugin(path: string, pluginId: string): Error {
  return new PincerError(
    'plugin_import_outside',
    `Plugin ${pluginId} imports ${path}, which lies outside of its folder: nobody has agreed to what it says.`,
    { hint: "Copy the file into the plugin's own folder." },
  );
}

export function noEditorApi(pluginId: string): Error {
  return new Error(
    `Plugin ${pluginId} imports "vscode". Plugins also run without an editor, so that module is not there for them; use the plugin API instead.`,
  );
}

/** What the transpiler found wrong, with the place. */
export function syntaxProblem(path: string, problem: string): Error {
  return new SyntaxError(`${path}:${problem}`);
}

function withCode(message: string, code: string): Error {
  return Object.assign(new Error(message), { code });
}
