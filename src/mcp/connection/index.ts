// What `dist/mcp.js` holds: the protocol's library and what speaks through it.
export { createAddressTransport, createSignInFetch } from './createAddressTransport.ts';
export { createSignIn } from './createSignIn.ts';
export { createProcessTransport } from './createProcessTransport.ts';
export { openConnection } from './openConnection.ts';
