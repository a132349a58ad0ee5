import { z } from 'zod';
import { PincerError } from '../../base/errors.ts';
import type { JsonSchema, Params } from '../../contracts/jsonTypes.ts';
import type { AgentTool, PreparedCall, ToolCall, ToolResult } from '../../contracts/tool.ts';
import type { Clock, FileSystem } from '../../host/ports.ts';
import { decidePath } from '../paths/decidePath.ts';
import type { WorkspaceLayout } from '../paths/workspaceLayout.ts';
import type { ProblemSource } from '../problemSource.ts';
import type { WorkspaceFiles } from '../workspaceFiles.ts';
import type { Ripgrep } from './createRipgrep.ts';

/** What core tools need of the world. */
export interface CoreToolDeps {
  readonly fs: FileSystem;
  readonly files: WorkspaceFiles;
  readonly clock: Clock;
  /** Only where an editor is: what an edit breaks is told with its result. */
  readonly problems?: ProblemSource;
  /** Read for each call. */
  readonly layout: () => WorkspaceLayout;
  /** There where the editor ships ripgrep; searching goes on without. */
  readonly ripgrep?: Ripgrep;
  /** Most characters of one result; tools page their output so that nothing is cut behind their back. */
  readonly maxResultChars: number;
}

interface CoreToolSpec<Schema extends z.ZodType> {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly schema: Schema;
  readonly mayWrite: boolean;
  /** The paths among the parameters, as the model wrote them. */
  readonly paths: (params: z.infer<Schema>) => readonly string[];
  /** What a call is about where no path says it. */
  readonly target?: (params: z.infer<Schema>) => string;
  readonly prepare: (params: z.infer<Schema>, call: ToolCall) => Promise<PreparedCall>;
}

/** A tool of our own: parameters are parsed once here, so that each tool works on typed values. */
export function createCoreTool<Schema extends z.ZodType>(
  spec: CoreToolSpec<Schema>,
  layout: () => WorkspaceLayout,
): AgentTool {
  const { name, label, description, schema, mayWrite } = spec;
  return {
    name,
    label,
    description,
    parameters: toParameters(schema),
    owner: { kind: 'core' },
    optional: false,
    mayWrite,
    ...(spec.target === undefined
      ? {}
      : {
          target: (params: Params) => {
            const parsed = schema.safeParse(params);
            return parsed.success ? spec.target?.(parsed.data) : undefined;
          },
        }),
    derivedPaths: (params) => {
      const parsed = schema.safeParse(params);
      if (!parsed.success) return [];
      const verdicts = spec.paths(parsed.data).map((path) => decidePath(layout(), path, 'list'));
      return verdicts.flatMap((verdict) => (verdict.kind === 'block' ? [] : [verdict.path]));
    },
    prepare: async (call, params) => await spec.prepare(parse(schema, name, params), call),
  };
}

function toParameters(schema: z.ZodType): JsonSchema {
  const { $schema: _dialect, ...parameters } = z.toJSONSchema(schema, { target: 'draft-7', io: 'input' });
  return parameters;
}

function parse<Schema extends z.ZodType>(schema: Schema, name: string, params: Params): z.infer<Schema> {
  const parsed = schema.safeParse(params);
  if (parsed.success) return parsed.data;
  throw new PincerError(
    'params_invalid',
    `The parameters of ${name} don't fit: ${z.prettifyError(parsed.error)}`,
  );
}

/** A result of one text. */
export function textResult(text: string, details?: unknown): ToolResult {
  return { content: [{ type: 'text', text }], ...(details === undefined ? {} : { details }) };
}
