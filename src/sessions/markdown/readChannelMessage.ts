/** What a channel's sender wrote, as `createChannelTurns` puts it into a conversation. */
interface ChannelWords {
  readonly from: string;
  readonly channel: string;
  /** The sender's, as the channel has it: a name is the sender's own choice. */
  readonly id: string;
  readonly text: string;
}

/** Undefined for what is no message of a channel. For people who read: a model gets the tags, which say whose words these are. Pure. */
export function readChannelMessage(text: string): ChannelWords | undefined {
  const { head, said } =
    /^<channel-message(?<head>(?: \w+="[^"]*")*)>\n(?<said>.*)\n<\/channel-message>$/su.exec(text)?.groups ??
    {};
  if (head === undefined || said === undefined) return undefined;
  const valueOf = (name: string): string => new RegExp(` ${name}="([^"]*)"`, 'u').exec(head)?.[1] ?? '';
  return { from: valueOf('from'), channel: valueOf('channel'), id: valueOf('id'), text: said };
}
