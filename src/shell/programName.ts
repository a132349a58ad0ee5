/** What a program is called whatever its path, case and Windows ending: `C:\Windows\System32\CMD.EXE` is `cmd`. */
export function programName(text: string): string {
  const name = text.slice(Math.max(text.lastIndexOf('/'), text.lastIndexOf('\\')) + 1);
  return name.toLowerCase().replace(/\.(?:exe|com|cmd|bat|ps1)$/u, '');
}
