import type { Clock } from '../../host/ports.ts';
import type { ServerAnswer } from '../serverQuestion.ts';

/** Which of the two protocols a server speaks: that since 2026-07-28, or that before. */
export type Wire = 'modern' | 'legacy';

/** Under which name of the secret storage the sign-in of a server is kept. */
export function signInSecret(server: string): string {
  return `mcp-sign-in.${server}`;
}

export interface ConnectionDeps {
  /** Pincer's own. */
  readonly version: string;
  /** What is known of this server; undefined asks it. */
  readonly wire?: Wire | undefined;
  /** How long connecting and listing may take, in milliseconds. */
  readonly connectMs: number;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Answers what the server asks in the middle of a call, as the protocol has it. */
  readonly answer: (params: unknown, signal: AbortSignal) => Promise<ServerAnswer>;
  /** The server says that its tools are others now. */
  readonly toolsChanged: () => void;
  /**
   * The connection ended, and not by `close`. `why` is there where the server could not be reached any more: then it takes no new requests,
   * and those that run may still be answered until `signal` aborts.
   */
  readonly closed: (why?: string) => void;
  /** What went wrong without anybody waiting for it: an answer to no question, for one. */
  readonly log: (text: string) => void;
}

export interface ServerCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** That of the tool, as it was agreed to. */
  readonly inputSchema: unknown;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly onProgress: (progress: Progress) => void;
}

/** As a server tells it; nothing in it has been checked. */
export interface Progress {
  readonly progress: unknown;
  readonly total?: unknown;
  readonly message?: unknown;
}

/** A server that answers. What it says is given as it came. */
export interface Connection {
  readonly wire: Wire;
  /** The version of the protocol that both speak. */
  readonly protocol: string;
  readonly instructions: string;
  /** All pages. @throws PincerError `mcp_list_invalid` */
  listTools(signal: AbortSignal): Promise<readonly unknown[]>;
  /**
   * Rejects with the library's error where the server answers with one, or the signal aborts.
   * @throws PincerError `mcp_no_answer` where it is silent for too long, `mcp_gone` where nobody took the call: a server at an address is down, or has forgotten this connection
   */
  callTool(call: ServerCall): Promise<unknown>;
  /** Whether the server says that it has such. */
  has(what: 'prompts' | 'resources' | 'completions'): boolean;
  /** Asks for something else than tools; what comes is given as it came. */
  request(
    method:
      | 'prompts/list'
      | 'prompts/get'
      | 'resources/list'
      | 'resources/templates/list'
      | 'resources/read'
      | 'completion/complete',
    params: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<unknown>;
  /** Ends the server, if it was started for this. */
  close(): Promise<void>;
}
