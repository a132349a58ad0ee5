import { errorMessage } from '../../base/errors.ts';

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens at that address',
  ENOTFOUND: 'there is no host of that name',
  EAI_AGAIN: 'the host name could not be looked up',
  ECONNRESET: 'the server closed the connection',
  EPIPE: 'the server closed the connection',
  UND_ERR_SOCKET: 'the server closed the connection',
  ETIMEDOUT: 'the connection took too long',
  UND_ERR_CONNECT_TIMEOUT: 'the connection took too long',
  EHOSTUNREACH: 'there is no way to that host',
  ENETUNREACH: 'there is no network',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate chain is self-signed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate could not be verified',
  CERT_HAS_EXPIRED: 'its certificate has expired',
};

/** Why a request failed, in plain words where the system's error code is known, else the error's own text. */
export function networkReason(error: unknown): string {
  let each: unknown = error;
  for (let depth = 0; depth < 5 && each instanceof Error; depth += 1) {
    const code = 'code' in each && typeof each.code === 'string' ? each.code : '';
    const known = reasons[code];
    if (known !== undefined) return known;
    each = each.cause;
  }
  return errorMessage(error);
}
