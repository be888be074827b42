//! Things that many share by key, each there for as long as somebody holds it.

use std::collections::HashMap;
use std::hash::Hash;
use std::ops::Deref;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What is held at the moment, by key. A clone is the same registry.
pub(crate) struct Registry<K, V>(Arc<Mutex<HashMap<K, Holding<V>>>>);

struct Holding<V> {
    value: Arc<V>,
    holders: usize,
}

/// What one holder holds. The last one takes the entry out of the registry when it is dropped.
pub(crate) struct Handle<K: Hash + Eq, V> {
    registry: Registry<K, V>,
    key: K,
    value: Arc<V>,
}

impl<K: Hash + Eq + Copy, V> Registry<K, V> {
    /// Holds what has this key, made anew where nobody holds it.
    pub(crate) fn hold(&self, key: K, make: impl FnOnce() -> V) -> Handle<K, V> {
        let mut entries = self.entries();
        let entry = entries.entry(key).or_insert_with(|| Holding::new(make()));
        self.handle(key, entry)
    }

    /// Holds what has this key, where somebody does.
    pub(crate) fn find(&self, key: K) -> Option<Handle<K, V>> {
        self.entries().get_mut(&key).map(|entry| self.handle(key, entry))
    }

    /// Holds what has this key, made anew where nobody holds it; none where so many hold it already.
    pub(crate) fn hold_below(&self, most: usize, key: K, make: impl FnOnce() -> V) -> Option<Handle<K, V>> {
        let mut entries = self.entries();
        match entries.get_mut(&key) {
            Some(entry) => (entry.holders < most).then(|| self.handle(key, entry)),
            None => Some(self.handle(key, entries.entry(key).or_insert(Holding::new(make())))),
        }
    }

    /// The keys of all that is held.
    pub(crate) fn keys(&self) -> Vec<K> {
        self.entries().keys().copied().collect()
    }

    fn handle(&self, key: K, entry: &mut Holding<V>) -> Handle<K, V> {
        entry.holders += 1;
        Handle { registry: self.clone(), key, value: Arc::clone(&entry.value) }
    }
}

impl<K, V> Registry<K, V> {
    fn entries(&self) -> MutexGuard<'_, HashMap<K, Holding<V>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<V> Holding<V> {
    fn new(value: V) -> Self {
        Self { value: Arc::new(value), holders: 0 }
    }
}

impl<K, V> Default for Registry<K, V> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<K, V> Clone for Registry<K, V> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<K: Hash + Eq, V> Deref for Handle<K, V> {
    type Target = V;

    fn deref(&self) -> &V {
        &self.value
    }
}

impl<K: Hash + Eq, V> Drop for Handle<K, V> {
    fn drop(&mut self) {
        // The value itself is dropped after the lock, with this handle's share of it.
        let mut entries = self.registry.entries();
        if let Some(entry) = entries.get_mut(&self.key) {
            entry.holders -= 1;
            if entry.holders == 0 {
                entries.remove(&self.key);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    use super::*;

    #[test]
    fn all_holders_of_a_key_hold_the_same_until_the_last_one_is_gone() {
        let registry = Registry::default();
        let first = registry.hold(1, || "first");
        let second = registry.hold(1, || "second");

        assert_eq!((*first, *second, registry.find(1).as_deref()), ("first", "first", Some(&"first")));
        drop(first);
        assert_eq!(registry.keys(), [1]);
        drop(second);
        assert!(registry.keys().is_empty() && registry.find(1).is_none());
        assert_eq!(*registry.hold(1, || "third"), "third");
    }

    #[test]
    fn a_key_has_so_many_holders_at_most() {
        let registry = Registry::default();
        let held: Vec<_> = (0..3).map(|_| registry.hold_below(3, 1, || ()).unwrap()).collect();

        assert!(registry.hold_below(3, 1, || ()).is_none());
        assert!(registry.hold_below(3, 2, || ()).is_some());
        drop(held);
        assert!(registry.hold_below(3, 1, || ()).is_some());
        assert!(registry.keys().is_empty());
    }

    #[test]
    fn what_is_dropped_may_use_the_registry() {
        struct Last(Registry<u8, Last>);
        impl Drop for Last {
            fn drop(&mut self) {
                assert!(self.0.keys().is_empty());
            }
        }
        let registry = Registry::default();

        drop(registry.hold(1, || Last(registry.clone())));
    }

    #[test]
    fn of_threads_that_drop_and_take_at_once_all_that_hold_at_a_time_hold_the_same() {
        struct Only<'a>(&'a AtomicUsize);
        impl Drop for Only<'_> {
            fn drop(&mut self) {
                self.0.fetch_sub(1, Ordering::SeqCst);
            }
        }
        let living = AtomicUsize::new(0);
        let registry = Registry::default();

        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..10_000 {
                        let held = registry.hold(1, || {
                            living.fetch_add(1, Ordering::SeqCst);
                            Only(&living)
                        });
                        let found = registry.find(1).expect("it is held");
                        assert!(std::ptr::eq(&raw const *held, &raw const *found));
                    }
                });
            }
        });

        assert_eq!(living.load(Ordering::SeqCst), 0);
        assert!(registry.keys().is_empty());
    }
}
