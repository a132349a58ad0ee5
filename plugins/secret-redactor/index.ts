import type { OpenClawPluginApi } from 'openclaw/plugin-sdk';
import { createRedactor, type Findings, type Redactor } from './createRedactor.ts';
import { parseExtraPattern } from './parseExtraPattern.ts';
import { isFiller } from './isPlainText.ts';
import { secretRules, strictRule, type SecretRule } from './secretRules.ts';

interface RedactorConfig {
  readonly extra: readonly { readonly name: string; readonly pattern: string }[];
  readonly allow: readonly string[];
  readonly strict: boolean;
  readonly writeTools: readonly string[];
}

/** After the plugins that change what is stored, before those that only look at it. */
const priority = -Number.MAX_VALUE / 2;

const placeholders = /\[redacted: [A-Za-z0-9][A-Za-z0-9 _-]{0,39}\]/u;

export default {
  id: 'secret-redactor',
  register(api: OpenClawPluginApi): void {
    // The manifest's configSchema guarantees the shape and fills in the defaults.
    const config = api.pluginConfig as unknown as RedactorConfig;
    const redactor = createRedactor({ rules: rulesOf(config, api.logger), allow: config.allow });

    const clean = <M extends StoredMessage>(
      message: M,
      where: string,
    ): { readonly message: M } | undefined => {
      const found: Findings = new Map();
      const cleaned = redactMessage(redactor, message, found);
      if (cleaned === message) return undefined;
      api.logger.info(`replaced ${summaryOf(found)} in ${where}`);
      return { message: cleaned };
    };

    api.on('tool_result_persist', ({ message }) => clean(message, 'a tool result'), { priority });
    api.on('before_message_write', ({ message }) => clean(message, nameOf(message.role)), { priority });
    api.on('before_tool_call', ({ toolName, params }) => {
      if (!config.writeTools.includes(toolName)) return undefined;
      const kind = placeholders.exec(JSON.stringify(params))?.[0];
      if (kind === undefined) return undefined;
      return {
        requireApproval: {
          title: 'Write a placeholder?',
          description: `The text holds ${kind}. It stands for a secret that the model was not shown; writing it may overwrite the secret.`,
          severity: 'warning',
        },
      };
    });
  },
};

function rulesOf(config: RedactorConfig, logger: OpenClawPluginApi['logger']): readonly SecretRule[] {
  const extra = config.extra.flatMap(({ name, pattern }): readonly SecretRule[] => {
    const parsed = parseExtraPattern(pattern);
    if (parsed.ok) return [{ name, pattern: parsed.pattern, spares: isFiller }];
    logger.warn(`the extra pattern "${name}" is not used: ${parsed.why}. The other patterns are.`);
    return [];
  });
  return [...extra, ...secretRules, ...(config.strict ? [strictRule] : [])];
}

interface StoredMessage {
  readonly role: string;
  readonly content: readonly { readonly type: string }[];
  readonly details?: unknown;
  readonly errorMessage?: string;
}

/** Ids, names and images stay: they tie a transcript together. The same object where there is nothing to replace. */
function redactMessage<M extends StoredMessage>(redactor: Redactor, message: M, found: Findings): M {
  const { content, details, errorMessage } = message;
  const cleaned = {
    content: content.map((part) => redactPart(redactor, part, found)),
    ...(details === undefined ? {} : { details: redactor.data(details, found) }),
    ...(errorMessage === undefined ? {} : { errorMessage: redactor.text(errorMessage, found) }),
  };
  return found.size === 0 ? message : { ...message, ...cleaned };
}

function redactPart<P extends { readonly type: string }>(redactor: Redactor, part: P, found: Findings): P {
  const { text, arguments: params } = part as { readonly text?: unknown; readonly arguments?: unknown };
  if (part.type === 'text' && typeof text === 'string') return { ...part, text: redactor.text(text, found) };
  if (part.type === 'toolCall') return { ...part, arguments: redactor.data(params, found) };
  return part;
}

function summaryOf(found: Findings): string {
  return [...found].map(([name, count]) => `${count} × ${name}`).join(', ');
}

function nameOf(role: string): string {
  if (role === 'user') return 'a message of the user';
  return role === 'toolResult' ? 'a tool result' : 'an answer';
}
