import { z } from 'zod';
import type { ModuleBody } from '../../plugins/load/compileModule.ts';
import type { RequestKind } from '../../plugins/load/createResolver.ts';

/** One module of a bundle; its key is a path below the folder of the agent file. */
export interface BundledModule {
  readonly format: 'commonjs' | 'module' | 'json';
  /** The key of the module behind each name that the code imports, named by `importKey`. */
  readonly imports?: Readonly<Record<string, string>>;
  /** Absent for JSON, and for code that only runs with waiting. */
  readonly body?: ModuleBody;
  /** The same code where it may wait for what it imports; there for what awaits outside of functions, and for all around it. */
  readonly waitingBody?: ModuleBody;
  /** Of a JSON file. */
  readonly data?: unknown;
}

export interface BundledPlugin {
  /** The key of its module. */
  readonly entry: string;
  readonly version?: string;
}

/**
 * What a bundle exports: an agent file and the code of its custom plugins, in one CommonJS file (Dexto plugin specification, Build-Time Plugin Bundling). Values
 * of environment variables are not in it: they are read where it runs.
 */
export interface AgentBundle {
  readonly format: 1;
  /** The version of `@dexto/core` that it was made with. */
  readonly apiVersion: string;
  readonly agent: {
    /** The agent file as it was. */
    readonly text: string;
    /** By the id of the contributor: texts of the system prompt that came from files. */
    readonly prompts: Readonly<Record<string, string>>;
  };
  /** The registry: custom plugins by their name in the agent file. */
  readonly plugins: Readonly<Record<string, BundledPlugin>>;
  readonly modules: Readonly<Record<string, BundledModule>>;
}

export const bundleFormat = 1;

/** A package may give one file to `import` and another to `require`. */
export function importKey(request: string, kind: RequestKind): string {
  return kind === 'import' ? request : `require(${request})`;
}

const body = z.custom<ModuleBody>((value) => typeof value === 'function');

export const agentBundleSchema: z.ZodType<AgentBundle> = z.object({
  format: z.literal(bundleFormat),
  apiVersion: z.string(),
  agent: z.object({ text: z.string(), prompts: z.record(z.string(), z.string()) }),
  plugins: z.record(z.string(), z.object({ entry: z.string(), version: z.string().exactOptional() })),
  modules: z.record(
    z.string(),
    z.object({
      format: z.enum(['commonjs', 'module', 'json']),
      imports: z.record(z.string(), z.string()).exactOptional(),
      body: body.exactOptional(),
      waitingBody: body.exactOptional(),
      data: z.unknown().exactOptional(),
    }),
  ),
});
