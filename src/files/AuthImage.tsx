import type { ComponentPropsWithoutRef, ReactNode } from 'react';
import { useFile } from './useFile.js';

export interface AuthImageProps extends Omit<ComponentPropsWithoutRef<'img'>, 'src' | 'srcSet'> {
  /** The address of the image. Null or undefined: none yet. */
  src: string | null | undefined;
  alt: string;
  /** Shown in place of the image until that is here, and when it cannot be fetched. @default the `alt` text */
  fallback?: ReactNode;
}

/**
 * An `<img>` that is fetched as the current user. See `useFile`.
 *
 * @example
 * <AuthImage src={`/users/${user.id}/avatar`} alt={user.name} width={32} height={32} />
 */
export function AuthImage({ src, fallback, alt, ...props }: AuthImageProps) {
  const { url } = useFile(src);
  return url === undefined && fallback !== undefined ? <>{fallback}</> : <img {...props} alt={alt} src={url} />;
}
