import { z } from 'zod';

/** A plugin in a folder. */
export interface InFolder {
  readonly id: string;
  readonly rootDir: string;
}

export const consentSchema = z.object({
  id: z.string(),
  /** SHA-256 of everything the plugin may load. */
  hash: z.string(),
  rootDir: z.string(),
  /** Hash by path, to tell later what has changed. */
  files: z.record(z.string(), z.string()),
  /** Milliseconds since the epoch. */
  grantedAt: z.number(),
  /** "I am developing this": a save by hand renews the consent. */
  developing: z.boolean().optional(),
  /** What the user has let it register beyond what its text tells; each as `kind name`. */
  more: z.array(z.string()).optional(),
});

export const seenSchema = z.object({
  id: z.string(),
  rootDir: z.string(),
  /** The workspace folder that it belongs to, links resolved; absent for one of the user's own. */
  workspaceDir: z.string().optional(),
  /** It had hooks that can stop or redact, a tool policy, or was a blocking Dexto plugin. */
  guards: z.boolean(),
  /** What the user had agreed to then; only for one of a workspace. */
  hash: z.string().optional(),
});

/** The user agreed to run these files of this plugin. */
export type Consent = Readonly<z.infer<typeof consentSchema>>;

/** A plugin that has run, and whether it could stop anything then. Bundled ones are not among them. */
export type SeenPlugin = Readonly<z.infer<typeof seenSchema>>;

/** What the user has agreed to, and what ran. */
export interface ConsentRecords {
  readonly consents: readonly Consent[];
  readonly seen: readonly SeenPlugin[];
  /** Plugins without a consent that the user develops. */
  readonly intended: readonly InFolder[];
}
