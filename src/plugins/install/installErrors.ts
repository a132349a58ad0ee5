import { PincerError } from '../../base/errors.ts';

/** The archive can't be read, or is not safe to unpack. */
export function archiveError(why: string, hint = 'Get it again from where it came from.'): PincerError {
  return new PincerError('plugin_archive_refused', `The archive is refused: ${why}.`, { hint });
}

/** What lies at the path is no plugin that can be installed. */
export function notInstallable(message: string, hint?: string): PincerError {
  return new PincerError('plugin_not_installable', message, hint === undefined ? {} : { hint });
}

export function folderTaken(folder: string, hint: string): PincerError {
  return new PincerError(
    'plugin_folder_taken',
    `${folder} already exists, and pincer did not put it there.`,
    {
      hint,
    },
  );
}

/** npm could not fetch what a plugin needs. */
export function dependenciesFailed(why: string): PincerError {
  return new PincerError(
    'plugin_dependencies_failed',
    `npm could not install what the plugin needs: ${why}`,
    { hint: 'Nothing was installed. Correct its package.json, or name a folder that has its node_modules.' },
  );
}

export function notInstalled(id: string, hint: string): PincerError {
  return new PincerError('plugin_not_installed', `Plugin ${id} was not installed by pincer.`, { hint });
}
