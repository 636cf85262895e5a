import type { MessageSource } from '../providers/shown/managers/StreamManager.js';

type Follower = (record: object) => void;

/** A mock of a server that pushes records: through sockets, one for each user, and to followers of one record. */
export function createMockFeed() {
  const sockets: { user: string; source: MessageSource; isOpen: boolean }[] = [];
  const followers = new Map<string, Set<Follower>>();
  let mostOpen = 0;
  const countOpen = () => sockets.filter(({ isOpen }) => isOpen).length;
  return {
    open(user: string): MessageSource {
      const socket = { user, isOpen: true, source: { onmessage: null, close: () => void (socket.isOpen = false) } };
      sockets.push(socket);
      mostOpen = Math.max(mostOpen, countOpen());
      return socket.source;
    },
    /** Sends to every socket that this user has opened, also to closed ones. */
    send(user: string, record: object) {
      const data = JSON.stringify(record);
      for (const socket of sockets) if (socket.user === user) socket.source.onmessage?.({ data });
    },
    follow(id: string, onRecord: Follower): () => void {
      const all = followers.get(id) ?? new Set();
      followers.set(id, all.add(onRecord));
      return () => void all.delete(onRecord);
    },
    publish(id: string, record: object) {
      followers.get(id)?.forEach(onRecord => onRecord(record));
    },
    counts: () => ({
      opened: sockets.length,
      open: countOpen(),
      mostOpen,
      followers: [...followers.values()].reduce((sum, all) => sum + all.size, 0),
    }),
    reset() {
      sockets.length = 0;
      followers.clear();
      mostOpen = 0;
    },
  };
}
