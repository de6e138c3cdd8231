//! What is written down of the things that staff do.

use super::{clock::Stamp, role::Rights, status::named};

/// Who makes a change, from where, and when.
#[derive(Clone, Debug)]
pub struct By {
    /// The e-mail address of a user, or the name of an account of the machine.
    pub actor: String,
    /// The address that the request came from, or the command line.
    pub origin: String,
    /// When.
    pub now: Stamp,
    /// On what it rests that they may. `None` for the command line, for a server by itself, and for who shows a link.
    pub authority: Option<Authority>,
    /// The form that asks for the change, where a form sent again must not make the change again.
    pub form: Option<String>,
    /// The long work that the change is a part of. Its moves are shown together.
    pub work: Option<String>,
}

impl By {
    /// Somebody at the command line of the service's machine.
    pub fn command_line(account: &str, now: Stamp) -> Self {
        Self::unasked(account.to_owned(), COMMAND_LINE.to_owned(), now)
    }

    /// Somebody whose authority is not looked at again.
    pub fn unasked(actor: String, origin: String, now: Stamp) -> Self {
        Self { actor, origin, now, authority: None, form: None, work: None }
    }

    /// The same for what is only written down of them, whatever they may do: an attempt that was refused.
    pub fn only_noted(&self) -> Self {
        Self { authority: None, ..self.clone() }
    }
}

/// What was known of somebody who signed in when their request began. The body of a request may arrive long after that, so
/// the transaction that writes looks again, and writes nothing if any of it is no longer so.
#[derive(Clone, Debug)]
pub struct Authority {
    /// The user, who is not disabled.
    pub user_id: String,
    /// The session, which has not ended.
    pub session_id: String,
    /// Whether they act as one who may do what concerns all producers.
    pub as_operator: bool,
    /// The producer, by its public id, in whose team they act, and what they may do there.
    pub in_team: Option<(String, Rights)>,
}

/// Who makes a move of the box office, and when. What staff do is written to the history with the move; what a server does
/// by itself is not.
#[derive(Clone, Debug)]
pub struct Mover {
    /// Staff.
    pub by: Option<By>,
    /// When.
    pub now: Stamp,
}

impl From<Stamp> for Mover {
    fn from(now: Stamp) -> Self {
        Self { by: None, now }
    }
}

impl From<&By> for Mover {
    fn from(by: &By) -> Self {
        Self { by: Some(by.clone()), now: by.now }
    }
}

/// As much of a ticket's id as tells tickets apart. The whole id opens a door, so it is not written down.
pub fn ending(ticket_id: &str) -> String {
    let skipped = ticket_id.chars().count().saturating_sub(4);
    format!("…{}", ticket_id.chars().skip(skipped).collect::<String>())
}

/// Who does what nobody asked for.
pub const BY_ITSELF: &str = "taquilla";
/// The origin of what was done at the command line.
pub const COMMAND_LINE: &str = "command line";

named! {
    /// What was done, or was tried.
    Action {
        /// A producer was created.
        ProducerCreated = "producer.created",
        /// Its name, time zone or currency was changed.
        ProducerChanged = "producer.changed",
        /// An API key was created.
        KeyCreated = "key.created",
        /// An API key was revoked.
        KeyRevoked = "key.revoked",
        /// A webhook endpoint was created.
        EndpointCreated = "endpoint.created",
        /// A webhook endpoint was changed.
        EndpointChanged = "endpoint.changed",
        /// A webhook endpoint was paused.
        EndpointPaused = "endpoint.paused",
        /// A webhook endpoint was resumed.
        EndpointResumed = "endpoint.resumed",
        /// A webhook endpoint got a new secret.
        EndpointRotated = "endpoint.rotated",
        /// A test message was sent to a webhook endpoint.
        EndpointTested = "endpoint.tested",
        /// Messages were sent to a webhook endpoint again.
        EndpointReplayed = "endpoint.replayed",
        /// A webhook endpoint was deleted.
        EndpointDeleted = "endpoint.deleted",
        /// The payment account was connected, or got a new secret.
        PaymentsConnected = "payments.connected",
        /// A payment was marked as paid back.
        PaymentPaidBack = "payment.paid_back",
        /// A door link was created.
        DoorLinkCreated = "door_link.created",
        /// A door link was revoked.
        DoorLinkRevoked = "door_link.revoked",
        /// A promoter of an event was created.
        PromoterCreated = "promoter.created",
        /// A promoter got a new link; the one before opens nothing any more.
        PromoterLinkRenewed = "promoter.link_renewed",
        /// A promoter was ended.
        PromoterEnded = "promoter.ended",
        /// An event was created.
        EventCreated = "event.created",
        /// An event was changed.
        EventChanged = "event.changed",
        /// A ticket type or bundle was created.
        TicketTypeCreated = "ticket_type.created",
        /// A ticket type or bundle was changed.
        TicketTypeChanged = "ticket_type.changed",
        /// A pool was made.
        PoolCreated = "pool.created",
        /// A pool was changed.
        PoolChanged = "pool.changed",
        /// A pool was ended.
        PoolEnded = "pool.ended",
        /// A coupon was made.
        CouponCreated = "coupon.created",
        /// A coupon was ended.
        CouponEnded = "coupon.ended",
        /// A surcharge was made.
        SurchargeCreated = "surcharge.created",
        /// A surcharge was ended.
        SurchargeEnded = "surcharge.ended",
        /// Buyers accept these terms from now on.
        TermsMade = "terms.made",
        /// Buyers do not accept these terms any more.
        TermsEnded = "terms.ended",
        /// Staff placed an order.
        OrderPlaced = "order.placed",
        /// Staff approved an order.
        OrderApproved = "order.approved",
        /// Staff rejected an order.
        OrderRejected = "order.rejected",
        /// Staff refunded an order.
        OrderRefunded = "order.refunded",
        /// Staff wrote a note about an order.
        OrderNoted = "order.noted",
        /// Some tickets of an order were refunded.
        OrderPartRefunded = "order.part_refunded",
        /// Staff settled an order with a payment.
        OrderSettled = "order.settled",
        /// Staff said that what a refund owed was paid back.
        OrderPaidBack = "order.paid_back",
        /// Somebody began a shift at the box office.
        ShiftBegun = "shift.begun",
        /// Somebody ended a shift at the box office.
        ShiftEnded = "shift.ended",
        /// Staff cancelled a ticket.
        TicketCancelled = "ticket.cancelled",
        /// Staff passed a ticket on.
        TicketTransferred = "ticket.transferred",
        /// Staff let a ticket in.
        TicketScanned = "ticket.scanned",
        /// Staff took the entry of a ticket back.
        TicketEntryUndone = "ticket.entry_undone",
        /// Staff hid a ticket.
        TicketHidden = "ticket.hidden",
        /// How many people should be inside an event at most was changed.
        DoorLimitsChanged = "door.limits_changed",
        /// Staff wrote, changed or removed what the scanner shows with a ticket.
        TicketNoted = "ticket.noted",
        /// Staff began, or went on, to refund all orders of an event.
        RefundBegun = "event.refund_begun",
        /// Staff stopped refunding all orders of an event.
        RefundStopped = "event.refund_stopped",
        /// Rows were imported.
        Imported = "import.done",
        /// Rows were taken out as a file.
        Exported = "data.exported",
        /// Staff had what is held of a person erased.
        ErasureBegun = "person.erasure_begun",
        /// What was held of a person is erased.
        PersonErased = "person.erased",
        /// What is held of a person was taken out.
        PersonExported = "person.exported",
        /// How long people are kept after an event was changed.
        RetentionChanged = "producer.retention_changed",
        /// Which websites may ask the shop was changed.
        ShopOriginsChanged = "producer.shop_origins_changed",
        /// The colour or the picture of the shop was changed.
        ShopLookChanged = "producer.shop_look_changed",
        /// The database was restored from a backup.
        DatabaseRestored = "database.restored",
        /// A user was created.
        UserCreated = "user.created",
        /// A user was disabled.
        UserDisabled = "user.disabled",
        /// A disabled user may sign in again.
        UserEnabled = "user.enabled",
        /// A link to choose a new password was made.
        PasswordResetLink = "user.reset_link",
        /// A user changed the password.
        PasswordChanged = "user.password_changed",
        /// A user set up the second factor.
        SecondFactorOn = "user.second_factor_on",
        /// A user's second factor was taken away.
        SecondFactorOff = "user.second_factor_off",
        /// A user made new recovery codes.
        RecoveryCodesMade = "user.recovery_codes",
        /// A user signed in.
        SignedIn = "user.signed_in",
        /// Somebody failed to sign in as this user.
        SignInFailed = "user.sign_in_failed",
        /// A session was ended by its owner.
        SessionEnded = "session.ended",
        /// Somebody was invited to the team.
        MemberInvited = "member.invited",
        /// An invitation was withdrawn.
        InvitationWithdrawn = "member.invitation_withdrawn",
        /// Somebody joined the team.
        MemberJoined = "member.joined",
        /// A member got another role.
        MemberRoleChanged = "member.role_changed",
        /// A member was taken out of the team.
        MemberRemoved = "member.removed",
        /// A role was created.
        RoleCreated = "role.created",
        /// A role was changed.
        RoleChanged = "role.changed",
        /// A role was deleted.
        RoleDeleted = "role.deleted",
        /// Whether the team must use a second factor was changed.
        SecondFactorRequired = "team.second_factor",
        /// Somebody tried what they have no right to.
        Refused = "refused",
    }
}

/// The name of the detail that says how money changed hands.
pub const METHOD: &str = "payment_method";

/// What changed: names and values. A secret is never one of them.
pub type Details<'a> = &'a [(&'static str, &'a str)];
