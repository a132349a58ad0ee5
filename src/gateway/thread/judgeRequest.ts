// Threats: a page in the user's browser sends requests to loopback (cross-site requests), or makes its own name resolve to loopback to be
// taken for the same site (DNS rebinding); another program of this machine guesses the token. So the Host header must be ours, a request
// of a page must come from our own origin, and whoever has no token reaches nothing but the routes that plugins open to everybody. Browsers
// send no Origin for an image, a script or a frame, but say what it is for and where it comes from (Fetch Metadata): so
// they are refused where the browser says so, which is over https and on this machine, and not in Safari before 16.4. The settings of an MCP
// client leak (they lie in plain files, and are synchronised and shared): its token is good for `/mcp` alone, and no client can be given the
// gateway's own in its place, since `/mcp` does not take that.
import { createHash, timingSafeEqual } from 'node:crypto';
import { plainPath } from '../plainPath.ts';
import { mcpPath, type OpenPath } from '../gatewayProtocol.ts';
import type { Caller } from '../tunnels.ts';

/** Why a request is refused. */
export interface Refusal {
  readonly status: 401 | 403 | 421 | 429;
  readonly message: string;
}

/** What a request says of where it comes from and whom it is for, as the client sent it. */
interface RequestNames {
  readonly host: string | undefined;
  readonly origin: string | undefined;
  /** `sec-fetch-site` and `sec-fetch-dest`; browsers alone send them, and no page can change them. */
  readonly site?: string | undefined;
  readonly destination?: string | undefined;
}

interface JudgeParts {
  /** The port that it listens on. */
  readonly port: number;
  readonly allowedHosts: readonly string[];
  readonly tokenDigest: Uint8Array;
  readonly mcpTokenDigest: Uint8Array | undefined;
}

const loopbackNames = ['127.0.0.1', 'localhost', '[::1]'];

/** Whether the names that a request uses are ours; undefined where they are. Pure. */
export function judgeNames(
  { host, origin, site, destination }: RequestNames,
  { port, allowedHosts }: Pick<JudgeParts, 'port' | 'allowedHosts'>,
): Refusal | undefined {
  const name = host?.toLowerCase() ?? '';
  const isLoopback = loopbackNames.some((each) => name === `${each}:${String(port)}`);
  const isAllowed = allowedHosts.some((each) => name === each || name.replace(/:\d+$/u, '') === each);
  if (!isLoopback && !isAllowed)
    return {
      status: 421,
      message: 'This Host is not served. gateway.allowedHosts in the config names others.',
    };
  // A link, or the way back from a sign-in, opens a document: the user sees it.
  const isOfOther = (site === 'cross-site' || site === 'same-site') && destination !== 'document';
  const isOwn =
    origin === undefined
      ? !isOfOther
      : origin === `http://${name}` || (isAllowed && origin === `https://${name}`);
  return isOwn ? undefined : { status: 403, message: 'Requests from pages of other origins are refused.' };
}

/** Whose token the header has, in a time that tells nothing of how much of it is right. */
export function callerOf(
  authorization: string | undefined,
  { tokenDigest, mcpTokenDigest }: Pick<JudgeParts, 'tokenDigest' | 'mcpTokenDigest'>,
): Caller {
  const presented = /^Bearer +(\S+) *$/iu.exec(authorization ?? '')?.[1] ?? '';
  const isOwner = isRightToken(presented, { tokenDigest });
  const isMcp = isRightToken(presented, { tokenDigest: mcpTokenDigest ?? noDigest });
  return isOwner ? 'owner' : isMcp ? 'mcp' : 'unknown';
}

/** No token has it. */
const noDigest = new Uint8Array(32);

/** Why a caller may not ask for this path; undefined where it may. Anybody may ask for an open one. Pure. */
export function judgeCaller(caller: Caller, url: string, isOpen: boolean): Refusal | undefined {
  const isMcp = plainPath(url) === mcpPath;
  if (caller === (isMcp ? 'mcp' : 'owner') || (isOpen && !isMcp)) return undefined;
  if (caller === 'unknown') return { status: 401, message: 'The token is missing or wrong.' };
  const message = isMcp
    ? "The gateway's token is not for /mcp, which has one of its own: Pincer: Copy MCP Client Setup, or PINCER_MCP_TOKEN."
    : 'This token is for /mcp alone.';
  return { status: 403, message };
}

/** The same of a token by itself. */
export function isRightToken(presented: string, { tokenDigest }: Pick<JudgeParts, 'tokenDigest'>): boolean {
  return timingSafeEqual(createHash('sha256').update(presented).digest(), tokenDigest);
}

/** Whether a path is one that a plugin opens to everybody. One that could be read in two ways is none. Pure. */
export function isOpenPath(url: string, paths: readonly OpenPath[]): boolean {
  const path = plainPath(url);
  return (
    path !== undefined &&
    paths.some((each) =>
      each.match === 'exact'
        ? path === each.path
        : path === each.path || path.startsWith(withSlash(each.path)),
    )
  );
}

function withSlash(path: string): string {
  return path.endsWith('/') ? path : `${path}/`;
}
