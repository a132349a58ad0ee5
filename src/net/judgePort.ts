// Threat: a request line that a mail server, a database or a cache takes for commands.

/** Ports above 1023 of services that speak no HTTP or give a caller control: those of the Fetch standard, data stores, remote control. */
const closedPorts = new Set([
  // Fetch standard, bad ports
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697,
  10080,
  // Databases, caches and queues
  1433, 1434, 1521, 1883, 2181, 2424, 3306, 4222, 5432, 5433, 5672, 5984, 6379, 6380, 7000, 7001, 7199, 7474,
  7687, 8086, 9042, 9092, 9160, 9200, 9300, 11211, 11214, 11215, 15672, 26257, 27017, 27018, 27019, 28017,

  // Containers, clusters and remote control
  2375, 2376, 2377, 2379, 2380, 3389, 4243, 5900, 5901, 5985, 5986, 6443, 8500, 8600, 9229, 10250, 10255,
  10256,
]);

/** Why a port may not be used; undefined where it may. Of the ports below 1024 only the web's two are open. Pure. */
export function judgePort(port: number): string | undefined {
  if (port === 80 || port === 443) return undefined;
  if (port < 1024) return `port ${port} is no port of the web`;
  return closedPorts.has(port) ? `port ${port} belongs to another kind of service` : undefined;
}
