/** Which command was given, and what stands behind it. */
export interface CommandWords {
  readonly command: string | undefined;
  readonly prompt: string;
}

/**
 * The command of a request. One that the panel offers is told apart by the panel; one that is only typed begins what the user wrote.
 * Pure.
 */
export function readCommand(
  { command, prompt }: { readonly command?: string | undefined; readonly prompt: string },
  isTyped: (name: string) => boolean,
): CommandWords {
  if (command !== undefined) return { command, prompt };
  const { name, rest } = /^\s*\/(?<name>[a-z]+)(?:\s+(?<rest>.*))?$/su.exec(prompt)?.groups ?? {};
  if (name === undefined || !isTyped(name)) return { command, prompt };
  return { command: name, prompt: rest ?? '' };
}
