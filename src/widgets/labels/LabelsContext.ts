import { createContext } from 'react';
import type { WidgetLabels } from './WidgetLabels.js';

/** What the providers above have for words. */
export const LabelsContext = createContext<Partial<WidgetLabels>>({});
