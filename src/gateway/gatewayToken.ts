// Threat: whoever has the token has the agent, its tools and its models. So it can't be guessed, and it lies where keys lie: VS Code's
// secret storage, or the environment of the command line. No file, log or list of processes holds it. MCP clients keep what they need in plain
// files of their own: they get another token, which is made when the user asks for it and can be taken back.
import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { Event } from '../base/event.ts';
import type { Secrets } from '../host/ports.ts';
import { mcpPath } from './gatewayProtocol.ts';
import { mcpTokenMissing, tokenGiven, tokenMissing, tokensEqual, tokenWeak } from './gatewayErrors.ts';

const secretName = 'gateway.token';
const mcpSecretName = 'gateway.mcpToken';
const tokenBytes = 32;
/** 32 bytes as base64url; as hex they are longer. */
const minChars = 43;

/** The token of the secret storage; made at the first call. */
export async function storedToken(secrets: Pick<Secrets, 'get' | 'set'>): Promise<string> {
  return (await readStored(secrets, secretName)) ?? (await storeNew(secrets, secretName));
}

async function readStored(secrets: Pick<Secrets, 'get'>, name: string): Promise<string | undefined> {
  const stored = await secrets.get(name);
  return stored !== undefined && stored.length >= minChars ? stored : undefined;
}

async function storeNew(secrets: Pick<Secrets, 'set'>, name: string): Promise<string> {
  const made = randomBytes(tokenBytes).toString('base64url');
  await secrets.set(name, made);
  return made;
}

/** Where the token of MCP clients is kept. */
export interface McpTokenKeeper {
  /** The one that counts now; undefined where nobody gets in. @throws PincerError `gateway_token_weak`, `gateway_tokens_equal` */
  current(): Promise<string | undefined>;
  /** The one that counts now, made where there is none. @throws PincerError as `current`, and `gateway_mcp_token_missing` */
  make(): Promise<string>;
  /** @throws PincerError `gateway_token_given` */
  revoke(): Promise<void>;
  /** Fires when it may be another one, by whichever window. */
  readonly onDidChange: Event<void>;
}

/** In the secret storage, which the windows share. */
export function storedMcpToken(secrets: Secrets): McpTokenKeeper {
  const current = (): Promise<string | undefined> => readStored(secrets, mcpSecretName);
  return {
    current,
    make: async () => (await current()) ?? (await storeNew(secrets, mcpSecretName)),
    revoke: () => secrets.delete(mcpSecretName),
    onDidChange: (listener) =>
      secrets.onDidChange((name) => {
        if (name === mcpSecretName) listener();
      }),
  };
}

/** The variables of the command line that hold tokens. */
export type TokenVariables = Readonly<
  Partial<Record<'PINCER_GATEWAY_TOKEN' | 'PINCER_MCP_TOKEN', string | undefined>>
>;

/**
 * Takes the tokens out of an environment. Threat: a plugin reads the owner's token there, or a command that it starts does, and answers
 * the question that the plugin itself is asked about.
 */
export function takeTokens(env: Record<string, string | undefined>): TokenVariables {
  const { PINCER_GATEWAY_TOKEN, PINCER_MCP_TOKEN } = env;
  delete env['PINCER_GATEWAY_TOKEN'];
  delete env['PINCER_MCP_TOKEN'];
  return { PINCER_GATEWAY_TOKEN, PINCER_MCP_TOKEN };
}

/** That of the command line, where it stays the same. */
export function environmentMcpToken(env: TokenVariables): McpTokenKeeper {
  const read = (): string | undefined => {
    const { PINCER_MCP_TOKEN: token = '', PINCER_GATEWAY_TOKEN: owner } = env;
    if (token === '') return undefined;
    if (token.length < minChars) throw tokenWeak('PINCER_MCP_TOKEN');
    if (token === owner) throw tokensEqual();
    return token;
  };
  return {
    current: () => Promise.resolve().then(read),
    async make() {
      const token = await this.current();
      if (token === undefined) throw mcpTokenMissing();
      return token;
    },
    revoke: () => Promise.reject(tokenGiven()),
    onDidChange: () => ({ dispose: () => undefined }),
  };
}

/** The token of the environment. @throws PincerError `gateway_token_missing`, `gateway_token_weak` */
export function environmentToken({ PINCER_GATEWAY_TOKEN: token }: TokenVariables): string {
  if (token === undefined || token === '') throw tokenMissing();
  if (token.length < minChars) throw tokenWeak('PINCER_GATEWAY_TOKEN');
  return token;
}

/** What is pasted into the settings of an MCP client. */
export function mcpClientSetup(port: number, token: string): string {
  const url = `http://127.0.0.1:${String(port)}${mcpPath}`;
  const pincer = { type: 'http', url, headers: { Authorization: `Bearer ${token}` } };
  return `${JSON.stringify({ mcpServers: { pincer } }, undefined, 2)}\n`;
}

/** A key by which this run of a gateway proves that it is the one whose port stands beside the key, in a private file. */
export const makeProofKey = (): string => randomBytes(tokenBytes).toString('base64url');

/** What only the owner of the key can answer to a challenge. */
export function proofOf(key: string, challenge: string): string {
  return createHmac('sha256', key).update(challenge).digest('base64url');
}

/** What is compared: of one length whatever was presented. */
export function digestOf(token: string): Uint8Array {
  return new Uint8Array(createHash('sha256').update(token).digest());
}
