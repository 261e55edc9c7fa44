export function Icon({ path }: { path: string }) {
  return (
    <svg class="mark icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}

export function IconButton({ name, path, onClick }: { name: string; path: string; onClick(): void }) {
  return (
    <button type="button" class="quiet" aria-label={name} title={name} onClick={onClick}>
      <Icon path={path} />
    </button>
  );
}
