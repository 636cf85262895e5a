import { createContext } from 'react';

export const TokenContext = createContext<string | undefined>(undefined);
