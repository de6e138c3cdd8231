//! One round over all lists.
//!
//! Tickets come first, then orders, then events with their ticket types. What a row refers to was made before it, so at the end of
//! a round the mirror has the order and the ticket type of every ticket that it has.

use taquilla_client::{Event, Order, Ticket, Time};

use crate::{
    cell::Cell,
    error::Error,
    lists::Listed,
    mirror::{Batch, Clear, Queue},
    schema::EVENTS,
    state::ListState,
    sync::{DIRTY, Sync},
    traverse::{Ended, What},
};

/// How often a list is begun anew in one round.
const ANEW: usize = 3;

impl Sync {
    /// Brings the mirror up to date.
    pub async fn round(&mut self) -> Result<(), Error> {
        if self.state(EVENTS.name).full_at.is_none() {
            // What was sold tells how much there is to load.
            self.list::<Event>().await?;
            self.ticket_types_again().await?;
        }
        self.list::<Ticket>().await?;
        self.list::<Order>().await?;
        self.tickets_again().await?;
        self.list::<Event>().await?;
        self.ticket_types_again().await?;
        if self.states.values().all(|state| state.is_refused) {
            return Err(Error::Mistake("the key may read nothing of this; ask for one with TICKETS_READ".to_owned()));
        }
        if self.is_dirty {
            self.mirror.write_files().await?;
            let state = vec![(DIRTY.to_owned(), "no".to_owned())];
            self.mirror.write(Batch { state, ..Batch::default() }).await?;
            self.is_dirty = false;
        }
        Ok(())
    }

    async fn list<T: Listed>(&mut self) -> Result<(), Error> {
        let mut state = self.state(T::TABLE.name);
        let done = self.bring_up::<T>(&mut state).await;
        self.states.insert(T::TABLE.name, state);
        done
    }

    /// Brings one list up to date, from its beginning where the server asks for that.
    async fn bring_up<T: Listed>(&mut self, state: &mut ListState) -> Result<(), Error> {
        let list = T::TABLE.name;
        for _ in 0..ANEW {
            let was_resumed = state.run.as_ref().is_some_and(|run| run.cursor.is_some());
            let cause = match self.pass::<T>(state).await {
                Ok(()) => {
                    state.is_refused = false;
                    return Ok(());
                }
                Err(Error::Server(cause)) => cause,
                Err(cause) => return Err(cause),
            };
            match cause.problem().map(|problem| problem.status) {
                Some(410) => {
                    self.note(format!(
                        "{list}: the server has lost what the mirror has; all of it is loaded anew ({cause})"
                    ));
                    let anew = ListState { full_at: None, run: None, ..state.clone() };
                    self.mirror.write(Batch { state: vec![anew.written(list)?], ..Batch::default() }).await?;
                    *state = anew;
                }
                Some(400) if was_resumed => {
                    self.note(format!(
                        "{list}: the server does not go on where the last run was; it is read anew ({cause})"
                    ));
                }
                Some(403) if state.full_at.is_none() => {
                    self.note(format!("{list} are left out: {cause}"));
                    state.is_refused = true;
                    return Ok(());
                }
                _ => return Err(cause.into()),
            }
        }
        Err(Error::Internal(format!("{list}: the server asks again and again to begin anew")))
    }

    /// Goes on with what was under way, loads everything if it is time, and then what has changed.
    async fn pass<T: Listed>(&mut self, state: &mut ListState) -> Result<(), Error> {
        let was_full = state.run.as_ref().is_some_and(|run| run.after.is_none());
        let mut is_full_due = match self.traverse::<T>(state).await? {
            Ended::ClockSetBack => true,
            Ended::Complete => !was_full && self.is_due(state),
        };
        if was_full {
            self.mirror.index(T::TABLE).await?;
        }
        // A clock that goes back again and again must not keep us here.
        for _ in 0..2 {
            if is_full_due || state.follows.is_empty() {
                let found = self.probe::<T>().await?;
                self.begin::<T>(state, What::All(found)).await?;
                // Whether orders are to tell of tickets is known from here on.
                self.states.insert(T::TABLE.name, state.clone());
                self.traverse::<T>(state).await?;
                self.mirror.index(T::TABLE).await?;
            }
            is_full_due = false;
            for stamp in state.follows.clone() {
                self.begin::<T>(state, What::After(stamp)).await?;
                if matches!(self.traverse::<T>(state).await?, Ended::ClockSetBack) {
                    self.note(format!(
                        "{}: the server's clock was set back; what happened since may be hidden behind the mark, so everything \
                         is loaded",
                        T::TABLE.name
                    ));
                    is_full_due = true;
                }
            }
            if !is_full_due {
                break;
            }
        }
        Ok(())
    }

    fn is_due(&self, state: &ListState) -> bool {
        let Some(full_at) = state.full_at else { return true };
        let passed = Time::now().timestamp().duration_since(full_at.timestamp()).unsigned_abs();
        self.options.full_every.is_some_and(|every| passed >= every)
    }

    /// Forgets a ticket that has left the books, for good, and reads what its ticket type shows now.
    pub(crate) async fn hide(&mut self, id: String) -> Result<(), Error> {
        let rows = self.mirror.rows(<Ticket as Listed>::TABLE, vec![id.clone()]).await?;
        let event = rows.get(&id).and_then(|row| row.cells.get(1)).map(Cell::shown);
        let mut queue = vec![(Queue::Hidden, id)];
        queue.extend(event.map(|event| (Queue::Event, event)));
        let state = vec![(DIRTY.to_owned(), "yes".to_owned())];
        self.mirror.write(Batch { queue, sweep: vec![Clear::Hidden], state, ..Batch::default() }).await?;
        self.is_dirty = true;
        Ok(())
    }
}
