// What `dist/mcpServer.js` holds: the protocol's library for servers, and what speaks through it.
export {
  createRequestAnswerer,
  serveTools,
  type ServedTool,
  type ServedResult,
  type Serving,
} from './serveTools.ts';
