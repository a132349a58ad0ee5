import { compareTools, readTools } from '../../src/mcp/definitions.ts';
import type { Inspection } from '../../src/mcp/mcpServers.ts';

export interface InspectionOptions {
  /** Definitions that somebody has agreed to. Default: nobody has agreed to any yet. */
  readonly agreed?: readonly object[];
  /** Names of tools that somebody kept from agents. */
  readonly leftOut?: readonly string[];
  /** Names of tools of which something is to be said. Default: `odd`. */
  readonly odd?: readonly string[];
  readonly problems?: readonly string[];
}

/** The server `files` that may start and brings these definitions now. */
export function inspectionOf(
  now: readonly object[],
  { agreed, leftOut = [], odd = ['odd'], problems = [] }: InspectionOptions = {},
): Inspection {
  const [after, before] = [readTools(now).tools, readTools(agreed ?? []).tools];
  return {
    name: 'files',
    origin: { kind: 'user' },
    launch: { kind: 'address', origin: 'https://x.example', headers: [] },
    launchHash: '',
    launchWarnings: [],
    mayStart: true,
    brings: {
      tools: after.map((tool) => ({ tool, warnings: odd.includes(tool.name) ? ['It is odd.'] : [] })),
      toolsHash: '',
      problems,
      agreed: before,
      leftOut,
      ...(agreed === undefined ? {} : { changes: compareTools(before, after, leftOut) }),
      isAgreed: false,
    },
  };
}

/** A definition as a server sends it. */
export function toolDefinition(name: string, description = '', more: object = {}): object {
  return { name, description, inputSchema: { type: 'object' }, ...more };
}
