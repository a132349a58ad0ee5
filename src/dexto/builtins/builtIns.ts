import type { BuiltIns } from './builtIn.ts';
import { contentPolicyOptions } from './contentPolicyOptions.ts';
import { createContentPolicy } from './createContentPolicy.ts';
import { createNotifications, type NotificationsHost } from './createNotifications.ts';
import { createResponseSanitizer } from './createResponseSanitizer.ts';
import { notificationsOptions } from './notificationsOptions.ts';
import { responseSanitizerOptions } from './responseSanitizerOptions.ts';

/**
 * Every built-in plugin (Dexto plugin specification, Built-In Plugin Registry Pattern). Anyone can put a plugin of their own in the place of one: they are
 * plain Dexto plugins that use nothing else.
 * @param host what `notifications` hears of and tells; without it, it hears of failed tools only
 */
export function createBuiltIns(host: NotificationsHost = {}): BuiltIns {
  return {
    contentPolicy: {
      create: createContentPolicy,
      schema: contentPolicyOptions,
      defaults: { blocking: true, priority: 10 },
    },
    responseSanitizer: {
      create: createResponseSanitizer,
      schema: responseSanitizerOptions,
      defaults: { blocking: false, priority: 900 },
    },
    notifications: {
      create: () => createNotifications(host),
      schema: notificationsOptions,
      defaults: { blocking: false, priority: 1_000 },
    },
  };
}

export const builtIns: BuiltIns = createBuiltIns();
