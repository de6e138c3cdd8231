//! Which producers the commits of this process concern. Tasks that do what a commit leaves to be done, such as sending
//! messages, look at those producers and at nobody else. Commits of other processes are not seen here; such tasks find what
//! those left by going through all producers slowly.

use std::{
    collections::HashSet,
    sync::{Arc, Weak},
};

use parking_lot::Mutex;

use crate::tenant::Tenant;

type Noted = Mutex<HashSet<Tenant>>;

/// Tells those who follow. Nothing is kept for anybody else.
#[derive(Default)]
pub struct Commits(Mutex<Vec<Weak<Noted>>>);

/// The producers that commits have concerned since somebody last asked.
pub struct Followed(Arc<Noted>);

impl Commits {
    /// Begins to follow the commits from now on, until the answer is dropped.
    pub fn follow(&self) -> Followed {
        let noted = Arc::<Noted>::default();
        let mut followers = self.0.lock();
        followers.retain(|follower| follower.strong_count() > 0);
        followers.push(Arc::downgrade(&noted));
        Followed(noted)
    }

    /// Notes a commit.
    pub fn note(&self, tenant: Tenant) {
        for follower in self.0.lock().iter().filter_map(Weak::upgrade) {
            follower.lock().insert(tenant);
        }
    }
}

impl Followed {
    /// Takes what was noted.
    pub fn take(&self) -> HashSet<Tenant> {
        std::mem::take(&mut self.0.lock())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_follower_hears_of_a_commit_once() {
        let commits = Commits::default();
        let (one, two) = (commits.follow(), commits.follow());
        let tenant = Tenant::from_column(1);
        commits.note(tenant);
        commits.note(tenant);
        assert_eq!((one.take().len(), one.take().len(), two.take().len()), (1, 0, 1));
        drop(two);
        commits.note(tenant);
        let _three = commits.follow();
        assert_eq!(commits.0.lock().len(), 2, "who is gone is forgotten");
    }
}
