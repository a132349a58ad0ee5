// Threat: a cloned repository opens a door to the user's agent. So a workspace's file can only keep it shut.
import { z } from 'zod';
import { addsTo, keysWhere, type ConfigSection } from './section.ts';

export const gatewaySchema = z.strictObject({
  enabled: z
    .boolean()
    .optional()
    .describe('True serves the agent over HTTP to programs on this machine. Default false.'),
  port: z
    .int()
    .min(0)
    .max(65_535)
    .optional()
    .describe('Port on 127.0.0.1; 0 picks a free one. Default 18789, or a free one if that is taken.'),
  allowedHosts: z
    .array(z.string().regex(/^[A-Za-z0-9.-]+(?::\d+)?$/u))
    .optional()
    .describe(
      'Host headers to accept in addition to loopback, for port forwarding that you have set up yourself.',
    ),
});

/** The HTTP server (docs/gateway.md). */
export interface GatewayConfig {
  readonly enabled: boolean;
  /** Undefined is the usual one, or any where that is taken. */
  readonly port: number | undefined;
  /** In lower case. */
  readonly allowedHosts: readonly string[];
}

export const gatewaySection: ConfigSection<z.infer<typeof gatewaySchema>, GatewayConfig> = {
  resolve: (input) => ({
    enabled: input?.enabled ?? false,
    port: input?.port,
    allowedHosts: (input?.allowedHosts ?? []).map((each) => each.toLowerCase()),
  }),
  tighten: (holds, input) => ({ ...holds, enabled: holds.enabled && input.enabled !== false }),
  ignored: (input, holds) =>
    keysWhere({
      'gateway.enabled': input.enabled === true && !holds.enabled,
      'gateway.port': input.port !== undefined && input.port !== holds.port,
      'gateway.allowedHosts': addsTo(holds.allowedHosts, input.allowedHosts),
    }),
};
