import initSqlJs, { type SqlJsStatic } from 'sql.js';
import { errorMessage, PincerError } from '../base/errors.ts';
import type { FileSystem } from './ports.ts';

/** The part of `WebAssembly` that is used here: the language's own types do not have it. */
interface WebAssemblyApi {
  compile(bytes: Uint8Array): Promise<object>;
  readonly Instance: new (module: object, imports: object) => object;
}

/**
 * SQLite as sql.js has it, from the bytes of its `sql-wasm.wasm`. It is the same for the life of a thread.
 * @throws PincerError `database_engine_broken`
 */
export async function loadSqlite(fs: Pick<FileSystem, 'readFile'>, wasmFile: string): Promise<SqlJsStatic> {
  const { WebAssembly: api } = globalThis as unknown as { readonly WebAssembly: WebAssemblyApi };
  try {
    // Compiled here, since sql.js ends the thread by an unhandled rejection where its program does not compile.
    const module = await api.compile(await fs.readFile(wasmFile));
    const config: object = {
      // Else it warns on the console, and its old functions stand before SQLite's own.
      useOldExtensionFunctions: false,
      instantiateWasm(imports: object, take: (instance: object) => void) {
        take(new api.Instance(module, imports));
        return {};
      },
    };
    return await initSqlJs(config);
  } catch (error) {
    throw databaseEngineBroken(wasmFile, error);
  }
}

/** The database engine's own file is missing or damaged: a fault of the installation. */
function databaseEngineBroken(wasmFile: string, cause: unknown): PincerError {
  return new PincerError(
    'database_engine_broken',
    `The database engine could not be started from ${wasmFile}: ${errorMessage(cause)}`,
    { hint: 'Install Pincer again.', cause },
  );
}
