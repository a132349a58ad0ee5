// Threat: what a server calls a prompt or a resource is read by a model as if the user had said it. So a person chooses each by its name,
// it stands in a fence like every other word of a server, and the session counts as one that holds words of strangers.
import { PincerError } from '../base/errors.ts';
import { isRecord } from '../base/json.ts';
import { inertLine, inertText, truncate } from '../base/text.ts';
import type { SessionTaint } from '../net/createSessionTaint.ts';
import { createAnsiStripper } from '../sandbox/createAnsiStripper.ts';
import { wrapUntrusted } from '../tools/core/web/wrapUntrusted.ts';
import type { Connection } from './connection/connection.ts';

/** What a server has ready for people to choose. */
export interface ServerOffers {
  prompts(server: string): Promise<readonly ServerPrompt[]>;
  /** The words of a prompt, in a fence. @throws PincerError `mcp_*` */
  prompt(
    server: string,
    name: string,
    args: Readonly<Record<string, string>>,
    sessionId: string,
  ): Promise<string>;
  /** What the server proposes for an argument, where these others are known; none where it proposes nothing. */
  complete(
    server: string,
    of: CompletionOf,
    argument: { readonly name: string; readonly value: string },
    known?: Readonly<Record<string, string>>,
  ): Promise<readonly string[]>;
  resources(server: string): Promise<readonly ServerResource[]>;
  /** Resources that have variables in their address. */
  templates(server: string): Promise<readonly ServerResource[]>;
  /** The text of a resource, in a fence. @throws PincerError `mcp_*` */
  resource(server: string, uri: string, sessionId: string): Promise<string>;
}

export interface ServerPrompt {
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly {
    readonly name: string;
    readonly description: string;
    readonly isRequired: boolean;
  }[];
}

/** What an argument is for: a prompt by its name, or the address of a template. */
type CompletionOf = { readonly prompt: string } | { readonly template: string };

interface ServerResource {
  /** Of a template with variables in braces. */
  readonly uri: string;
  readonly name: string;
  readonly description: string;
}

interface OffersDeps {
  /** Does `work` with the server, started where it does not run and everything of it was agreed to. @throws PincerError `mcp_*` */
  readonly during: <T>(server: string, work: (connection: Connection) => Promise<T>) => Promise<T>;
  readonly taint: SessionTaint;
  readonly redact: (text: string) => string;
}

const maxItems = 1_000;
/** People choose from what is listed: of a list without end they get its begin. */
const maxPages = 20;
const maxChars = 100_000;
/** What is hidden in it takes room, too. */
const maxReadChars = 2 * maxChars;
const limitMs = 30_000;

export function createServerOffers({ during, taint, redact }: OffersDeps): ServerOffers {
  const ask = async (
    connection: Connection,
    method: Parameters<Connection['request']>[0],
    params: Readonly<Record<string, unknown>>,
  ): Promise<Readonly<Record<string, unknown>>> => {
    const answer = await connection.request(method, params, AbortSignal.timeout(limitMs));
    if (!isRecord(answer)) throw badAnswer(method);
    return answer;
  };
  type Records = readonly Readonly<Record<string, unknown>>[];
  const list = (
    server: string,
    kind: 'prompts' | 'resources',
    method: Parameters<Connection['request']>[0],
    key: string,
  ): Promise<Records> => during(server, (connection) => listBy(connection, kind, method, key));
  const listBy = async (
    connection: Connection,
    kind: 'prompts' | 'resources',
    method: Parameters<Connection['request']>[0],
    key: string,
  ): Promise<Records> => {
    if (!connection.has(kind)) return [];
    const all: Readonly<Record<string, unknown>>[] = [];
    let params: Readonly<Record<string, unknown>> = {};
    for (let page = 0; page < maxPages && all.length < maxItems; page += 1) {
      const answer = await ask(connection, method, params);
      const found = answer[key];
      if (Array.isArray(found)) all.push(...(found as unknown[]).filter(isRecord).slice(0, maxItems));
      const { nextCursor } = answer;
      if (typeof nextCursor !== 'string' || nextCursor === params['cursor']) break;
      params = { cursor: nextCursor };
    }
    return all.slice(0, maxItems);
  };
  const fence = (words: string, source: string): string => {
    const plain = redact(inertText(createAnsiStripper()(words.slice(0, maxReadChars))));
    return wrapUntrusted({ text: truncate(plain, maxChars), source });
  };
  return {
    async prompts(server) {
      return (await list(server, 'prompts', 'prompts/list', 'prompts')).flatMap((each) =>
        typeof each['name'] === 'string'
          ? [{ name: each['name'], description: line(each['description']), arguments: argumentsOf(each) }]
          : [],
      );
    },
    async prompt(server, name, args, sessionId) {
      const answer = await during(server, (connection) =>
        ask(connection, 'prompts/get', { name, arguments: args }),
      );
      taint.enter(sessionId);
      const messages: readonly unknown[] = Array.isArray(answer['messages']) ? answer['messages'] : [];
      const words = messages.map((each) => (isRecord(each) ? contentText(each['content']) : '')).join('\n\n');
      return `${fence(words, `the prompt ${inertLine(name, 80)} of the MCP server ${server}`)}\nThe user chose this prompt: do what it asks for, as far as it is what the user wants, with the user's own words before it.`;
    },
    async complete(server, of, argument, known = {}) {
      const params = {
        ref:
          'prompt' in of
            ? { type: 'ref/prompt', name: of.prompt }
            : { type: 'ref/resource', uri: of.template },
        argument,
        ...(Object.keys(known).length === 0 ? {} : { context: { arguments: known } }),
      };
      const answer = await during(server, async (connection) =>
        connection.has('completions') ? await ask(connection, 'completion/complete', params) : {},
      );
      const values = isRecord(answer['completion']) ? answer['completion']['values'] : undefined;
      return Array.isArray(values)
        ? (values as unknown[]).filter((each) => typeof each === 'string').slice(0, 100)
        : [];
    },
    async resources(server) {
      return (await list(server, 'resources', 'resources/list', 'resources')).flatMap(resourceAt('uri'));
    },
    async templates(server) {
      const found = await list(server, 'resources', 'resources/templates/list', 'resourceTemplates');
      return found.flatMap(resourceAt('uriTemplate'));
    },
    async resource(server, uri, sessionId) {
      const answer = await during(server, (connection) => ask(connection, 'resources/read', { uri }));
      taint.enter(sessionId);
      const contents: readonly unknown[] = Array.isArray(answer['contents']) ? answer['contents'] : [];
      const words = contents
        .map((each) =>
          isRecord(each) && typeof each['text'] === 'string' ? each['text'] : '[Left out: it is no text.]',
        )
        .join('\n\n');
      return fence(words, `the resource ${inertLine(uri, 200)} of the MCP server ${server}`);
    },
  };
}

function resourceAt(
  key: 'uri' | 'uriTemplate',
): (each: Readonly<Record<string, unknown>>) => readonly ServerResource[] {
  return ({ [key]: uri, name, description }) =>
    typeof uri === 'string' ? [{ uri, name: line(name), description: line(description) }] : [];
}

function argumentsOf({ arguments: said }: Readonly<Record<string, unknown>>): ServerPrompt['arguments'] {
  if (!Array.isArray(said)) return [];
  return (said as unknown[]).flatMap((each) =>
    isRecord(each) && typeof each['name'] === 'string'
      ? [
          {
            name: each['name'],
            description: line(each['description']),
            isRequired: each['required'] === true,
          },
        ]
      : [],
  );
}

function contentText(content: unknown): string {
  if (!isRecord(content)) return '';
  if (typeof content['text'] === 'string') return content['text'];
  const { resource } = content;
  if (isRecord(resource) && typeof resource['text'] === 'string') return resource['text'];
  return '[Left out: it is no text.]';
}

function line(value: unknown): string {
  return typeof value === 'string' ? inertLine(value, 300) : '';
}

function badAnswer(method: string): PincerError {
  return new PincerError(
    'mcp_answer_invalid',
    `The MCP server did not answer ${method} in the way the protocol says.`,
    {
      hint: 'This is a fault of the server.',
    },
  );
}
