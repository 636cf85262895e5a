// `data-client-auth/managers`: managers of data-client that live as long as an identity.
export type { StoreManager } from '../dataClient/connectManagers.js';
export type { Identity } from '../providers/ProviderProps.js';
