import { flavourOf, type WorkspaceLayout } from '../../tools/paths/workspaceLayout.ts';
import type { SkillOrigin } from './skill.ts';

/** A folder whose subfolders may be skills, or that is one itself. */
export interface SkillPlace {
  readonly origin: SkillOrigin;
  /** Absolute. */
  readonly folder: string;
  /** What a skill found here may not lead out of; absolute. */
  readonly within: string;
  readonly pluginId?: string;
  /** True where the config names it: it has to be there. */
  readonly isNamed?: boolean;
}

export interface SkillPlacesInput {
  readonly layout: WorkspaceLayout;
  readonly isTrusted: boolean;
  /** `~/.pincer`, or what PINCER_HOME names. */
  readonly home: string;
  /** What `~` stands for. */
  readonly userHome: string;
  /** `agent.skills.folders` of the user's config, as written. */
  readonly configured: readonly string[];
  /** Of plugins that run. */
  readonly plugins: readonly {
    readonly pluginId: string;
    readonly rootDir: string;
    readonly folder: string;
  }[];
}

/** Where each agent keeps the skills of a workspace. */
const workspaceFolders: readonly (readonly string[])[] = [
  ['.pincer', 'skills'],
  ['.github', 'skills'],
  ['.claude', 'skills'],
  ['skills'],
];

/**
 * Where skills may lie, by who wins where two have one name: what the user's config names, the user's own, the workspace's,
 * those of plugins. So a repository can't put itself in the place of a skill that the user trusts. The
 * workspace's count in a trusted window only. Pure.
 */
export function planSkillPlaces(input: SkillPlacesInput): readonly SkillPlace[] {
  const { layout, isTrusted, home, userHome, configured, plugins } = input;
  const paths = flavourOf(layout.platform);
  const named = configured.map((written): SkillPlace => {
    const folder = written.trim().replace(/^~(?=$|[/\\])/u, () => userHome);
    return { origin: 'config', folder, within: folder, isNamed: true };
  });
  const own = paths.join(home, 'skills');
  const workspace = (isTrusted ? layout.roots : []).flatMap((root) =>
    workspaceFolders.map((names): SkillPlace => ({
      origin: 'workspace',
      folder: paths.join(root, ...names),
      within: root,
    })),
  );
  return [
    ...named,
    { origin: 'user', folder: own, within: own },
    ...workspace,
    ...plugins.map(({ pluginId, rootDir, folder }): SkillPlace => ({
      origin: 'plugin',
      folder,
      within: rootDir,
      pluginId,
    })),
  ];
}
