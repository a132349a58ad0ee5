/** Whether a host name, as `URL` gives it, never leaves the machine: `localhost` and what ends in it, `127.*`, `[::1]`. Pure. */
export function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(?:\.\d{1,3}){3}$/u.test(hostname)
  );
}
