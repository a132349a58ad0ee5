// Threat: the path comes from a model, and a model repeats what a web page or a file told it. Spellings that one program
// reads as a name and another as an address, an escape or a device are refused before any path arithmetic.

export interface PathFault {
  readonly code: string;
  readonly reason: string;
  readonly hint: string;
}

const maxPathBytes = 4_096;
const maxNameBytes = 255;

/** What is wrong with a path as it is written, on any file system of that platform; undefined where nothing is. Pure. */
export function findPathFault(input: string, platform: NodeJS.Platform): PathFault | undefined {
  return findTextFault(input) ?? findAddressFault(input) ?? findPlatformFault(input, platform);
}

function findTextFault(input: string): PathFault | undefined {
  if (input.trim() === '') return fault('path_empty', 'The path is empty.');
  if (/\p{Cc}|[\u2028\u2029\u202A-\u202E\u2066-\u2069]/u.test(input)) {
    return fault('path_control_character', 'The path contains a control or direction character.');
  }
  if (invisible.test(input)) {
    return fault(
      'path_invisible_character',
      'The path contains an invisible character: it looks like another path.',
      'Write the path with the characters that are seen.',
    );
  }
  if (input !== input.trim()) return fault('path_spaces', 'The path begins or ends with a space.');
  const encoder = new TextEncoder();
  const names = input.split(/[\\/]/u);
  if (
    encoder.encode(input).length > maxPathBytes ||
    names.some((name) => encoder.encode(name).length > maxNameBytes)
  ) {
    return fault('path_too_long', 'The path is longer than a file system takes.');
  }
  if (names.some((name) => name !== '..' && isDotDotAlias(name))) {
    return fault('path_dot_alias', 'The path contains a look-alike of "..".');
  }
  return undefined;
}

/** Characters without a width. Joiners and selectors may follow a letter of a script that needs them, or a picture; tags are part of none. */
const invisible =
  /[\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180E\u200B\u200E\u200F\u2060-\u2064\u206A-\u206F\u3164\uFEFF\uFFA0\u{E0000}-\u{E00FF}]|(?<![^\u0000-\u02FF])[\u200C\u200D\uFE00-\uFE0F\u{E0100}-\u{E01EF}]/u;

/** `..` in other characters, or with characters that some file systems leave out. */
function isDotDotAlias(name: string): boolean {
  return /^\.\.\s*$/u.test(name.normalize('NFKC').replace(/\p{Cf}/gu, ''));
}

function findAddressFault(input: string): PathFault | undefined {
  const plain = 'Give a plain path below the workspace, such as src/app.ts.';
  if (/^[a-z][a-z0-9+.-]+:/iu.test(input))
    return fault('path_is_uri', 'This is an address, not a path.', plain);
  if (input.startsWith('~')) {
    return fault('path_variable', 'Home folders are not expanded.', 'For a file of that name write ./~…');
  }
  if (/^\$\w+|\$\{|^%\w+%|^\$env:/iu.test(input)) {
    return fault(
      'path_variable',
      'Variables are not expanded.',
      'For a file of that name write ./$… in front.',
    );
  }
  if (hidesSeparator(input)) {
    return fault(
      'path_encoded',
      'The path contains encoded separators or dots.',
      'Write the characters themselves.',
    );
  }
  return undefined;
}

/** True where decoding the percent escapes, up to three times, brings out a separator, a dot, a control character, or a long form of one. */
function hidesSeparator(input: string): boolean {
  let text = input;
  for (let round = 0; round < 3; round += 1) {
    if (/%(?:2e|2f|5c|7f|c[01]|[01][0-9a-f])/iu.test(text)) return true;
    text = text.replace(/%25/gu, '%');
  }
  return false;
}

function findPlatformFault(input: string, platform: NodeJS.Platform): PathFault | undefined {
  if (platform === 'win32') return findWindowsFault(input);
  return input.includes('\\')
    ? fault('path_backslash', 'The path contains a backslash.', 'Separate folders with forward slashes.')
    : undefined;
}

function findWindowsFault(input: string): PathFault | undefined {
  if (/^[\\/]{2}[.?][\\/]|^[\\/]\?\?[\\/]/u.test(input)) {
    return fault('path_device', 'Device and verbatim paths are not allowed.');
  }
  if (/^[a-z]:(?![\\/])/iu.test(input)) {
    return fault('path_drive_relative', 'The path depends on the current folder of a drive.');
  }
  const names = input.replace(/^[a-z]:/iu, '').split(/[\\/]/u);
  for (const name of names) {
    const found = findWindowsNameFault(name);
    if (found !== undefined) return found;
  }
  return undefined;
}

const reservedName = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$|clock\$)\s*(?:[.:]|$)/iu;

function findWindowsNameFault(name: string): PathFault | undefined {
  if (name === '' || name === '.' || name === '..') return undefined;
  if (reservedName.test(name)) return fault('path_reserved', `"${name}" is a device name on Windows.`);
  if (/[<>:"|?*]/u.test(name)) {
    return fault('path_windows_name', `"${name}" contains a character that Windows does not allow in names.`);
  }
  if (/[. ]$/u.test(name)) {
    return fault('path_trailing_dot', `Windows drops the end of "${name}", which then names another file.`);
  }
  if (/^[^.]{1,8}~\d+(?:\.[^.]{0,3})?$/u.test(name)) {
    return fault('path_short_name', `"${name}" looks like a short (8.3) name.`, 'Write the long name.');
  }
  return undefined;
}

function fault(
  code: string,
  reason: string,
  hint = 'Give a path below the workspace, such as src/app.ts.',
): PathFault {
  return { code, reason, hint };
}
