import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { ConfigFile } from './configSchema.ts';
import { isToolProfile } from './sections/toolPolicySchema.ts';

interface PolicyFile {
  /** Absolute path of the file. */
  readonly source: string;
  readonly config: ConfigFile;
}

/** What of the rules for tools names a profile that nothing defines; the user's file first. Pure. */
export function findToolRuleProblems(files: readonly PolicyFile[]): readonly Diagnostic[] {
  const users = Object.keys(files[0]?.config.tools?.profiles ?? {});
  return files.flatMap((file) => unknownProfiles(file, users));
}

function unknownProfiles({ source, config }: PolicyFile, users: readonly string[]): readonly Diagnostic[] {
  const known = [...users, ...Object.keys(config.tools?.profiles ?? {})].map((name) => name.toLowerCase());
  return namedProfiles(config).flatMap(([key, profile]) => {
    if (profile === undefined || isToolProfile(profile) || known.includes(profile.toLowerCase())) return [];
    return [
      {
        level: 'error',
        code: 'config_profile_unknown',
        message: `${key} names the profile "${profile}", which is neither built in nor defined in tools.profiles: every tool is denied there.`,
        hint: `Write minimal, coding, messaging or full, or define tools.profiles.${profile}.`,
        source,
        key: key.split('.'),
      },
    ];
  });
}

type ProfileReference = readonly [key: string, profile: string | undefined];

function namedProfiles({ tools, agents }: ConfigFile): readonly ProfileReference[] {
  const places = [
    ['tools', tools] as const,
    ...Object.entries(agents ?? {}).map(([id, agent]) => [`agents.${id}.tools`, agent.tools] as const),
  ];
  return [
    ...places.flatMap(([key, rules]): readonly ProfileReference[] => [
      [`${key}.profile`, rules?.profile],
      ...byName(`${key}.byProvider`, rules?.byProvider),
    ]),
    ...byName('tools.providers', tools?.providers),
  ];
}

function byName(
  key: string,
  rules: Readonly<Record<string, { readonly profile?: string | undefined }>> = {},
): readonly ProfileReference[] {
  return Object.entries(rules).map(([name, { profile }]) => [`${key}.${name}.profile`, profile]);
}
