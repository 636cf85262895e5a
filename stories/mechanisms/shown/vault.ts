let opened: Promise<string>;
let open: (accessToken: string) => void;

/** A keychain that answers when its owner has unlocked it. */
export const vault = {
  lock() {
    opened = new Promise(resolve => (open = resolve));
  },
  unlock: (accessToken: string) => open(accessToken),
  readToken: () => opened,
};
