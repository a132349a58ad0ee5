import { inertLine } from '../../base/text.ts';
import type { ServerToolView, ServerView } from '../../mcp/mcpServers.ts';

/** A row about MCP servers in the Plugins view. */
export type McpRow =
  | { readonly kind: 'mcp servers'; readonly servers: readonly ServerView[] }
  | { readonly kind: 'mcp server'; readonly serverName: string; readonly server: ServerView }
  /** Where it is named. */
  | { readonly kind: 'mcp origin'; readonly serverName: string; readonly server: ServerView }
  | { readonly kind: 'mcp problem'; readonly serverName: string; readonly problem: string }
  | { readonly kind: 'mcp tool'; readonly tool: ServerToolView }
  /** One that it brings and nobody has agreed to. */
  | { readonly kind: 'mcp new tool'; readonly name: string }
  /** One that the user keeps from agents. */
  | { readonly kind: 'mcp left tool'; readonly name: string };

interface RowRules<Row> {
  /** Tells it from its siblings. */
  readonly key: (row: Row) => string;
  /** What it unfolds to; absent where that is nothing. */
  readonly children?: (row: Row) => readonly McpRow[];
}

/** Every kind of row, and how the tree treats it. */
const rowRules: { readonly [K in McpRow['kind']]: RowRules<Extract<McpRow, { readonly kind: K }>> } = {
  'mcp servers': {
    key: ({ kind }) => kind,
    children: ({ servers }) =>
      servers.map((server) => ({ kind: 'mcp server', serverName: server.name, server })),
  },
  'mcp server': {
    key: ({ serverName }) => serverName,
    children: ({ server }) => planServerRows(server),
  },
  'mcp origin': { key: ({ kind }) => kind },
  'mcp problem': { key: ({ kind }) => kind },
  'mcp tool': { key: ({ tool }) => tool.name },
  'mcp new tool': { key: ({ name }) => `new ${name}` },
  'mcp left tool': { key: ({ name }) => `left ${name}` },
};

/** Pure. */
export function isMcpRow(row: { readonly kind: string }): row is McpRow {
  return Object.hasOwn(rowRules, row.kind);
}

/** Tells a row from its siblings. Pure. */
export function mcpRowKey(row: McpRow): string {
  return rulesOf(row).key(row);
}

/** What a row unfolds to. Pure. */
export function planMcpRows(row: McpRow): readonly McpRow[] {
  return rulesOf(row).children?.(row) ?? [];
}

function rulesOf(row: McpRow): RowRules<McpRow> {
  return rowRules[row.kind] as RowRules<McpRow>;
}

/** What the rows of servers say themselves, and the top of the view need not repeat. */
const saidByRows = new Set(['mcp_not_agreed', 'mcp_changed', 'mcp_failed']);

/** True for a problem that stands below its server. Pure. */
export function isSaidByServer({ code }: { readonly code: string }): boolean {
  return saidByRows.has(code);
}

/** What a server unfolds to: what is wrong, where it is named, its tools. Pure. */
function planServerRows(server: ServerView): readonly McpRow[] {
  const serverName = server.name;
  return [
    ...(server.problem === undefined
      ? []
      : [{ kind: 'mcp problem', serverName, problem: server.problem } as const]),
    { kind: 'mcp origin', serverName, server },
    ...server.tools.map((tool): McpRow => ({ kind: 'mcp tool', tool })),
    ...server.newTools.map((name): McpRow => ({ kind: 'mcp new tool', name })),
    ...server.leftOut.map((name): McpRow => ({ kind: 'mcp left tool', name })),
  ];
}

/** True where somebody has to look at it before all of it can be used. Pure. */
export function needsReview({ state, newTools, tools }: ServerView): boolean {
  if (state === 'off') return false;
  const isOpen = state === 'new' || state === 'changed' || state === 'unlisted';
  return isOpen || newTools.length > 0 || tools.some(({ withdrawn }) => withdrawn !== undefined);
}

/** Names what the context menu may offer on a server. Pure. */
export function serverContext(server: ServerView): string {
  return [
    'mcp',
    server.state,
    ...(needsReview(server) ? ['review'] : []),
    ...(server.origin.kind === 'plugin' ? [] : ['named']),
  ].join('.');
}

/** `running · 4 tools`; what needs a look stands first, since a narrow view cuts the end. */
export function serverSummary({ tools, newTools }: ServerView, state: string): string {
  const usable = tools.filter(({ withdrawn }) => withdrawn === undefined).length;
  return [
    state,
    ...(usable === tools.length ? [] : [`${String(tools.length - usable)} withdrawn`]),
    ...(newTools.length === 0 ? [] : [`${String(newTools.length)} new`]),
    ...(usable === 0 ? [] : [`${String(usable)} ${usable === 1 ? 'tool' : 'tools'}`]),
  ]
    .map((part) => inertLine(part, 60))
    .join(' · ');
}
