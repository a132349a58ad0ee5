import { z } from 'zod';
import { commonOptions } from './builtIn.ts';

/** What the plugin `notifications` can tell of. */
const notificationEvents = [
  'input-blocked',
  'input-changed',
  'tool-blocked',
  'tool-failed',
  'answer-blocked',
  'answer-changed',
  'answer-cut',
  'plugin-failed',
] as const;

export type NotificationEvent = (typeof notificationEvents)[number];

/** `plugins.notifications` of an agent file (the third hook of Dexto plugin specification's history: logging and monitoring). */
export const notificationsOptions = z.strictObject({
  ...commonOptions,
  events: z.array(z.enum(notificationEvents)).optional().describe('Events to report. Default: all.'),
  level: z.enum(['debug', 'info', 'warn', 'error']).optional().describe('Log level. Default info.'),
  show: z.boolean().optional().describe('Also show them as notifications where the host can. Default false.'),
});

export type NotificationsOptions = z.infer<typeof notificationsOptions>;
